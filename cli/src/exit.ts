/** Exit codes of hmsctl, for scripts. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  notFound: 3,
  timeout: 4,
  notLoggedIn: 5,
  /** Of `hospital diff`, where 1 means that there is a difference. */
  noDiff: 6,
  /** By Ctrl-C. */
  interrupted: 130,
  terminated: 143,
  hungUp: 129,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_HELP = `Exit codes:
  0 done   1 it failed   2 wrong usage   3 not found, or nothing runs here
  4 not ready in time   5 not logged in   6 no diff could be made   130 interrupted (143 by SIGTERM, 129 by SIGHUP)`;

/** Ends hmsctl with a message on stderr that says what is wrong and what to do. */
export class Exit extends Error {
  override readonly name = 'Exit';
  readonly code: ExitCode;
  constructor(code: ExitCode, message: string) {
    super(message);
    this.code = code;
  }
}
