/** Mails from files: `templates/<name>/<language>.html` and `.txt`, inside `templates/layout.html`. */
import { readFileSync } from 'node:fs';
import { mailLanguage } from '@hms/tenancy';
import mustache from 'mustache';

/** The values of each template. */
export interface TemplateValues {
  /** A one-time code, which a person types into the login page. */
  readonly 'login-code': { readonly code: string; readonly minutes: number };
  /** A one-time code with which a person chooses a new password. */
  readonly 'password-code': { readonly code: string; readonly minutes: number };
  /** Invites a person to choose a password. */
  readonly invitation: {
    readonly firstName: string;
    readonly link: string;
    /** As people read it, in the hospital's time zone. */
    readonly until: string;
  };
  /** Tells an owner of the hospital that somebody of the platform acts as a person of it. */
  readonly impersonation: {
    /** Addresses. */
    readonly actor: string;
    readonly person: string;
    readonly reason: string;
    readonly mayWrite: boolean;
    /** As people read it, in the hospital's time zone. */
    readonly from: string;
    readonly until: string;
  };
  /** Tells a patient about an appointment, with a link to confirm or cancel it. */
  readonly appointment: AppointmentValues & {
    readonly link: string;
    readonly isConfirmed: boolean;
    /** Whether the patient had another time before. */
    readonly isMoved: boolean;
  };
  /** Tells a patient about the appointments of a series. */
  readonly 'appointment-series': SeriesValues & {
    /** Whether mails with links come before the appointments. */
    readonly isReminded: boolean;
  };
  /** Tells a patient that an appointment is cancelled. */
  readonly 'appointment-cancelled': AppointmentValues;
  /** Tells a patient that appointments of a series are cancelled. */
  readonly 'appointment-series-cancelled': SeriesValues;
  /** Tells a patient of the waiting list about a time that is kept for them, with a link to take it. */
  readonly 'appointment-offer': AppointmentValues & {
    readonly link: string;
    /** As people read it, in the hospital's time zone. */
    readonly until: string;
  };
  /** Tells a doctor that nobody has acknowledged a critical result of the laboratory. */
  readonly 'critical-result': {
    readonly order: string;
    readonly test: string;
    /** As people read it, in the hospital's time zone. */
    readonly since: string;
    readonly link: string;
    readonly isForAll: boolean;
  };
  /** Tells a pharmacist what is short or expires. */
  readonly 'stock-warning': {
    readonly belowReorderLevel: StockLines | null;
    readonly expiring: StockLines | null;
    readonly onlyExpired: StockLines | null;
  };
  /** Leads an employee to a report. It has no figures. */
  readonly report: {
    readonly title: string;
    /** As people read them. */
    readonly days: string;
    readonly link: string;
  };
  /** Tells a person that the password was changed. */
  readonly 'password-changed': Readonly<Record<never, never>>;
}

type AppointmentValues = Readonly<{
  firstName: string;
  /** As people read it, in the hospital's time zone. */
  when: string;
  doctor: string;
  clinic: string;
}>;

type SeriesValues = Readonly<{
  firstName: string;
  /** In the order of their times. Those in a row with the same doctor in the same clinic are one group. */
  groups: readonly {
    readonly doctor: string;
    readonly clinic: string;
    /** As people read them, in the hospital's time zone. */
    readonly times: readonly string[];
  }[];
}>;

/** What a mail lists of one kind. */
interface StockLines {
  readonly count: number;
  /** The first of them, each as one line. */
  readonly lines: readonly string[];
  /** How many are not listed. */
  readonly more: number;
  readonly link: string;
}

export type TemplateName = keyof TemplateValues;

/** What a mail shows of its hospital. */
export interface MailHospital {
  readonly displayName: string;
  /** BCP 47 tag, such as `en` or `ar-EG`. A language without templates gets English. */
  readonly language: string;
  readonly theme: { readonly primaryColor?: string };
  /** The logo's file. A mail never refers to an address, because that would tell when it was read. */
  readonly logo?: { readonly contentType: string; readonly content: Buffer };
}

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Content ID of the logo's attachment. */
export const LOGO_ID = 'logo@hms';

const PLAIN_COLOR = '#0b7285';

/**
 * Fills in a template. HTML escapes every value. The first line of the text file is the subject.
 * @throws Error if a value is missing.
 */
export function render<Name extends TemplateName>(
  name: Name,
  hospital: MailHospital,
  values: TemplateValues[Name],
): RenderedMail {
  const language = mailLanguage(hospital.language);
  const { primaryColor = '' } = hospital.theme;
  const common = { ...values, hospital: hospital.displayName };
  const [subjectLine = '', ...lines] = read(`${name}/${language}.txt`).split('\n');
  const subject = oneLine(fill(subjectLine, common, String));
  const html = fill(read('layout.html'), {
    ...common,
    language,
    direction: new Intl.Locale(language).getTextInfo().direction,
    subject,
    logo: hospital.logo ? `cid:${LOGO_ID}` : '',
    // A style must contain nothing but a color.
    color: /^#[0-9a-f]{6}$/i.test(primaryColor) ? primaryColor : PLAIN_COLOR,
    content: fill(read(`${name}/${language}.html`), common),
  });
  return { subject, text: fill(lines.join('\n').trimStart(), common, String), html };
}

function read(file: string): string {
  return readFileSync(new URL(`../templates/${file}`, import.meta.url), 'utf8');
}

/** @param escaping applied to each value. Default: HTML. */
function fill(
  template: string,
  values: Readonly<Record<string, unknown>>,
  escaping?: (value: string) => string,
): string {
  for (const [kind, key] of mustache.parse(template)) {
    if (kind !== 'text' && !(key in values)) throw new Error(`a mail template needs the value ${key}`);
  }
  return mustache.render(template, values, {}, escaping ? { escape: escaping } : {});
}

/** A line end would begin another header. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
