/**
 * Television displays: the tables `displays`, `display_secrets` and `display_pairings`.
 *
 * A display that nobody knows yet gets a secret, which it keeps, and a code, which it shows. An administrator who enters
 * the code makes it a display of the hospital. From then on, the secret signs it in. Only hashes of both are stored.
 *
 * A display has an account of its own in Keycloak. The row says whether there is one. Each change adds the task
 * `display-account` in the same transaction, and the auth module then makes the account match the row.
 *
 * Locks are taken in this order, so that two requests can't deadlock: the display, the clinics by id.
 */
import { build, revokeTokens } from '@hms/database';
import { fields, Problem, record, records, type Work, withTraits } from '@hms/service';
import { z } from 'zod';
import { type Clinic, clinics } from '../clinics/clinics.ts';
import { tokensEnd } from '../employees/employees.ts';
import { noticesToday } from '../notices/notices.ts';
import { displayAccount } from './account.ts';
import { DISPLAY_CODE_UNKNOWN } from './errors.ts';

export * from './account.ts';
export * from './errors.ts';

/** How long a code can be entered, in seconds. */
export const CODE_SECONDS = 600;
/**
 * A display that has not signed in for so long has to be paired again, in days. The time of a suspension does not count:
 * its end changes the hospital's row.
 */
export const UNUSED_DAYS = 90;
/** How often a display gets another secret, in days. */
const SECRET_DAYS = 7;
/** Displays of one hospital that show a code at a time. Anybody can start one. */
const MOST_PAIRINGS = 1_000;
const MOST_CLINICS = 20;
/** How long a display that somebody identifies shows its name, in seconds. */
const IDENTIFY_SECONDS = 30;
/** A display reports every minute. After this time, in minutes, people may have been told that it is off. */
const SILENT_MINUTES = 3;
/** Notices that a display shows, at most. */
const MOST_NOTICES = 10;

/** Languages of which a display has the numbers, spoken. */
export const VOICES = ['en', 'ar'] as const;
type Voice = (typeof VOICES)[number];
const voices = withTraits(
  z
    .array(z.enum(VOICES))
    .max(VOICES.length)
    .refine((given) => new Set(given).size === given.length, 'must not have a language twice'),
  { demands: { uniqueItems: true } },
).describe('Languages in which it speaks numbers, in their order. None: it only chimes');

/** What a display says about itself. */
export const report = z.object({
  build: fields.line(64).describe('Version of the pages that it shows'),
  sound: z.enum(['on', 'off']).describe('Whether a chime would be heard'),
  boardAt: fields.instant.nullable().describe('When it last got an event of its stream. Null: it has got none'),
});

export const displays = record('displays', {
  name: 'display',
  fields: {
    name: fields.line(100).describe('Where it hangs, such as `Waiting room 2`'),
    clinicIds: fields.ids('clinic', MOST_CLINICS).describe('The clinics whose queues it shows'),
    voices,
  },
  set: {
    accountId: fields.id.nullable().describe('The account that its token names. Null while it is set up'),
    lastSeenAt: fields.instant.nullable().describe('When it last signed in or reported, which it does every minute'),
    reportedBuild: report.shape.build.nullable().describe('Version of the pages that it shows. Null until it reports'),
    sound: report.shape.sound.nullable().describe('Whether a chime would be heard. Null until it reports'),
    boardAt: report.shape.boardAt,
  },
  sort: ['name'],
  defaultSort: 'name',
  search: {},
  live: true,
});
export type Display = z.output<typeof displays.item>;
type Changes = Omit<z.output<typeof displays.changes>, 'version'>;

/** Hashes of what a waiting display keeps and shows. */
export interface Pairing {
  readonly secret: Buffer;
  readonly code: Buffer;
}

/** What a display speaks if nobody has chosen: the language of the hospital, if there is one. @param language BCP 47 */
export function usualVoices(language: string): readonly Voice[] {
  const [primary] = language.toLowerCase().split('-');
  return VOICES.filter((voice) => voice === primary);
}

/** Stores that a display shows a code. @returns false if too many of this hospital do. */
export async function openPairing({ trx }: Work, { secret, code }: Pairing): Promise<boolean> {
  await trx.query('DELETE FROM display_pairings WHERE expires_at < now()');
  const added = await trx.query(
    `INSERT INTO display_pairings (secret, code, expires_at)
     SELECT $1, $2, now() + make_interval(secs => $3) WHERE (SELECT count(*) FROM display_pairings) < $4
     RETURNING code`,
    [secret, code, CODE_SECONDS, MOST_PAIRINGS],
  );
  return added.length > 0;
}

/**
 * Makes the display that shows a code one of the hospital's. The code works once.
 * @throws Problem DISPLAY_CODE_UNKNOWN, CLINIC_NOT_FOUND
 */
export async function pair(work: Work, code: Buffer, values: z.output<typeof displays.create>): Promise<Display> {
  const [pairing] = await work.trx.query<{ secret: Buffer }>(
    'DELETE FROM display_pairings WHERE code = $1 AND expires_at > now() RETURNING secret',
    [code],
  );
  if (!pairing) throw new Problem(DISPLAY_CODE_UNKNOWN);
  await holdClinics(work, values.clinicIds);
  const display = await records(work, displays).insert(values);
  await work.trx.query('INSERT INTO display_secrets (display_id, current) VALUES ($1, $2)', [
    display.id,
    pairing.secret,
  ]);
  addTask(work, display.id);
  return display;
}

/** Changes a display's name, clinics or languages. @throws Problem CLINIC_NOT_FOUND */
export async function changeDisplay(
  work: Work,
  id: string,
  changes: Changes,
  version: number | undefined,
): Promise<Display> {
  const own = records(work, displays);
  const before = await own.lock(id, version);
  if (changes.clinicIds) await holdClinics(work, changes.clinicIds);
  return own.update(before, changes);
}

/** Unpairs a display for good. Its secret works no more, and its access tokens are refused at once. */
export async function unpair(work: Work, id: string, version: number | undefined): Promise<Display> {
  const own = records(work, displays);
  const before = await own.lock(id, version);
  const after = await own.remove(before);
  await work.trx.query('DELETE FROM display_secrets WHERE display_id = $1', [id]);
  if (before.accountId) await revokeTokens(work.trx, before.accountId);
  addTask(work, id);
  return after;
}

/** What a secret stands for. */
export type Secret =
  | { readonly kind: 'unknown' }
  /** The code has not been entered yet. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'paired'; readonly displayId: string; readonly accountId: string | null };

export async function readSecret({ trx, hospital }: Work, secret: Buffer): Promise<Secret> {
  const [paired] = await trx.query<{ displayId: string; accountId: string | null }>(
    `SELECT d.id AS "displayId", d.account_id AS "accountId"
     FROM display_secrets s JOIN displays d ON d.id = s.display_id
     WHERE $1 IN (s.current, s.next) AND d.deleted_at IS NULL
       AND greatest(d.last_seen_at, d.created_at, $3::timestamptz) > now() - make_interval(days => $2)`,
    [secret, UNUSED_DAYS, hospital.updatedAt],
  );
  if (paired) return { kind: 'paired', ...paired };
  const waiting = await trx.query('SELECT FROM display_pairings WHERE secret = $1 AND expires_at > now()', [secret]);
  return { kind: waiting.length > 0 ? 'waiting' : 'unknown' };
}

/**
 * Notes that a display has signed in, and whether it has to replace its secret. The former secret works until the next
 * one is used, because the answer with the next one can get lost.
 * @param next hash of what always follows this secret, so that two requests at a time get the same.
 * @returns whether the display gets the next secret, or undefined if it was unpaired meanwhile.
 */
export async function signedIn(
  work: Work,
  displayId: string,
  secret: Buffer,
  next: Buffer,
): Promise<{ readonly isReplaced: boolean } | undefined> {
  const { trx } = work;
  const [seen] = await trx.query(
    'UPDATE displays SET last_seen_at = now() WHERE id = $1 AND deleted_at IS NULL RETURNING id',
    [displayId],
  );
  if (!seen) return undefined;
  await trx.query(
    `UPDATE display_secrets SET current = next, next = NULL, since = now() WHERE display_id = $1 AND next = $2`,
    [displayId, secret],
  );
  const replaced = await trx.query(
    `UPDATE display_secrets SET next = $3
     WHERE display_id = $1 AND current = $2 AND since < now() - make_interval(days => $4) RETURNING display_id`,
    [displayId, secret, next, SECRET_DAYS],
  );
  work.changed('displays', displayId);
  return { isReplaced: replaced.length > 0 };
}

/** A display as it sees itself. */
export interface ShownDisplay {
  readonly display: Display;
  readonly clinics: readonly Clinic[];
  /** Those of today. */
  readonly notices: readonly string[];
  /** For how many ms it shows its name. 0: not now. */
  readonly identifyMs: number;
}

/** A row as its display needs it. */
interface Own {
  readonly id: string;
  readonly identifyMs: number;
}
/** By the clock of PostgreSQL: that of a television may be wrong. */
const IDENTIFY_MS = `greatest(0, ceil(extract(epoch FROM d.identify_until - now()) * 1000))::integer AS "identifyMs"`;

/** The display of an account. @throws Problem DISPLAY_NOT_FOUND */
export async function displayOf(work: Work, accountId: string): Promise<ShownDisplay> {
  const [found] = await work.trx.query<Own>(
    `SELECT d.id, ${IDENTIFY_MS} FROM displays d WHERE d.account_id = $1 AND d.deleted_at IS NULL`,
    [accountId],
  );
  if (!found) throw new Problem(displays.notFound);
  return shown(work, found);
}

/**
 * Notes what the display of an account says about itself. No version changes, as nobody edited it. People are told only
 * of news, because all displays report every minute.
 * @throws Problem DISPLAY_NOT_FOUND
 */
export async function reported(
  work: Work,
  accountId: string,
  { build: reportedBuild, sound, boardAt }: z.output<typeof report>,
): Promise<ShownDisplay> {
  const [found] = await work.trx.query<Own & { readonly isNews: boolean }>(REPORT, [
    ...[accountId, reportedBuild, sound, boardAt, SILENT_MINUTES],
  ]);
  if (!found) throw new Problem(displays.notFound);
  if (found.isNews) work.changed('displays', found.id);
  return shown(work, found);
}

const REPORT = `
  UPDATE displays d SET reported_build = $2, sound = $3, board_at = $4, last_seen_at = now()
  FROM (SELECT * FROM displays WHERE account_id = $1 AND deleted_at IS NULL FOR UPDATE) AS former
  WHERE d.id = former.id
  RETURNING d.id, ${IDENTIFY_MS},
    (d.reported_build, d.sound) IS DISTINCT FROM (former.reported_build, former.sound)
      OR coalesce(former.last_seen_at < now() - make_interval(mins => $5), true) AS "isNews"`;

async function shown(work: Work, { id, identifyMs }: Own): Promise<ShownDisplay> {
  const display = await records(work, displays).read(id);
  const known = await records(work, clinics).byIds(display.clinicIds);
  return {
    display,
    clinics: display.clinicIds.flatMap((clinicId) => known.find((clinic) => clinic.id === clinicId) ?? []),
    notices: await noticesToday(work, MOST_NOTICES),
    identifyMs,
  };
}

/** Has a display show its name for a while, so that people find it. @throws Problem DISPLAY_NOT_FOUND */
export async function identify(work: Work, id: string): Promise<Display> {
  const display = await records(work, displays).lock(id);
  const [row] = await work.trx.query<{ identifyUntil: Date }>(
    `UPDATE displays SET identify_until = now() + make_interval(secs => $2) WHERE id = $1
     RETURNING identify_until AS "identifyUntil"`,
    [id, IDENTIFY_SECONDS],
  );
  work.audit({ action: 'update', record: 'displays', recordId: id, after: { ...row } });
  work.changed('displays', id);
  return display;
}

/** Whether a display shows a locked clinic. */
export async function isShown({ trx }: Work, clinicId: string): Promise<boolean> {
  const rows = build.from('displays').whereNull('deleted_at');
  rows.whereRaw('clinic_ids @> ?::jsonb', [JSON.stringify([clinicId])]);
  return (await trx.run(rows.select('id').limit(1))).length > 0;
}

/** Has the account of a display made again, which is gone or incomplete. Until then, the display gets no token. */
export async function remakeAccount(work: Work, displayId: string): Promise<void> {
  await work.trx.query('UPDATE displays SET account_id = NULL WHERE id = $1', [displayId]);
  work.audit({ action: 'update', record: 'displays', recordId: displayId, after: { accountId: null } });
  work.changed('displays', displayId);
  addTask(work, displayId);
}

/** Makes the account match the row. */
function addTask(work: Work, displayId: string): void {
  work.addTask(displayAccount, { displayId }, { key: displayId });
}

/**
 * Notes in the row what was done with the account. No version changes, as nobody edited the display.
 * @param accountId the account that was made, or undefined if it was removed.
 * @returns false if the row says something else by now.
 */
export async function settleDisplay(work: Work, displayId: string, accountId: string | undefined): Promise<boolean> {
  const [row] = await work.trx.query<{ accountId: string | null; isPaired: boolean }>(
    `SELECT account_id AS "accountId", deleted_at IS NULL AS "isPaired" FROM displays WHERE id = $1 FOR UPDATE`,
    [displayId],
  );
  if (!row || row.isPaired !== (accountId !== undefined)) return false;
  if (accountId === undefined) {
    // Nobody can get a token for it any more.
    if (row.accountId) await revokeTokens(work.trx, row.accountId, tokensEnd());
  } else if (row.accountId !== accountId) {
    await work.trx.query('UPDATE displays SET account_id = $2 WHERE id = $1', [displayId, accountId]);
    work.audit({ action: 'update', record: 'displays', recordId: displayId, after: { accountId } });
    work.changed('displays', displayId);
  }
  return true;
}

/** Locks the clinics until the transaction ends. @throws Problem CLINIC_NOT_FOUND */
async function holdClinics(work: Work, ids: readonly string[]): Promise<void> {
  for (const id of [...ids].sort()) await records(work, clinics).lock(id);
}
