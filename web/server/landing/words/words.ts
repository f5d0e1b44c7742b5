/** What a language of the platform's own pages consists of. */
export interface Words {
  /** Its own name. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** Of the platform. */
  readonly title: string;
  readonly description: string;
  readonly lead: string;
  readonly languages: string;
  readonly find: {
    readonly title: string;
    /** Instead of the title, for a television. */
    readonly television: string;
    readonly televisionHow: string;
    readonly label: string;
    readonly hint: string;
    readonly button: string;
    readonly results: string;
    readonly suspended: string;
    readonly more: string;
    readonly all: string;
    readonly previous: string;
    readonly next: string;
    /** Instead of results. */
    readonly problem: Readonly<Record<FindProblem, string>>;
  };
  /** The page at an address that leads nowhere. */
  readonly lost: {
    readonly title: string;
    readonly text: string;
    /** No hospital has the host. */
    readonly nobody: string;
  };
  /** Sections, each for some people. */
  readonly about: readonly { readonly title: string; readonly text: string }[];
  readonly status: {
    readonly title: string;
    readonly link: string;
    readonly allWork: string;
    readonly someFail: string;
    readonly works: string;
    readonly fails: string;
    readonly parts: Readonly<Record<PartName, string>>;
    /** With `{time}`. */
    readonly checked: string;
    readonly again: string;
    readonly repeat: string;
    readonly stop: string;
    readonly back: string;
  };
}

export type FindProblem = 'none' | 'short' | 'often' | 'unavailable';
/** What people do with the platform. Each is one module, except for the login, which also needs Keycloak. */
export type PartName = 'login' | 'hms' | 'queue' | 'payment' | 'crm';
