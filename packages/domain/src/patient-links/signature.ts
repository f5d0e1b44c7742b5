/**
 * Signatures of links with which patients see and answer, without an account: the table `link_keys`. A hospital has a key
 * of its own, so a link opens nothing in another one.
 */
import { randomBytes } from 'node:crypto';
import { Problem, type Work } from '@hms/service';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { ANSWERABLE, LINK_EXPIRED, LINK_INVALID } from './record.ts';

/** What a link is for. */
export type Subject =
  | {
      readonly kind: 'appointment';
      readonly id: string;
      /** The state in which the appointment can be answered with it. Each answer changes the state, so it works once. */
      readonly from: (typeof ANSWERABLE)[number];
    }
  | { readonly kind: 'queue-entry'; readonly id: string };

const ALGORITHM = 'HS256';
const KEY_BYTES = 32;

const claims = z.union([
  z.object({ aud: z.literal('appointment'), sub: z.uuid(), from: z.enum(ANSWERABLE) }),
  z.object({ aud: z.literal('queue-entry'), sub: z.uuid() }),
]);

/** @param until when the link is of no use any more. @returns the address of a page of the hospital. */
export async function linkTo(work: Work, subject: Subject, until: Date): Promise<string> {
  const { id, kind } = subject;
  const token = await new SignJWT(kind === 'appointment' ? { from: subject.from } : {})
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuer(work.hospital.id)
    .setAudience(kind)
    .setSubject(id)
    .setExpirationTime(until)
    .sign(await keyOf(work));
  // The part behind # never reaches a server or its logs.
  return `${work.hospital.portal}/visit#${token}`;
}

/** @param link the part behind #. @throws Problem LINK_INVALID, LINK_EXPIRED */
export async function openLink(work: Work, link: string): Promise<Subject> {
  try {
    const { payload } = await jwtVerify(link, await keyOf(work), {
      algorithms: [ALGORITHM],
      issuer: work.hospital.id,
      currentDate: work.trx.moment,
      requiredClaims: ['exp'],
    });
    const signed = claims.parse(payload);
    return signed.aud === 'appointment'
      ? { kind: signed.aud, id: signed.sub, from: signed.from }
      : { kind: signed.aud, id: signed.sub };
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new Problem(LINK_EXPIRED);
    if (error instanceof errors.JOSEError) throw new Problem(LINK_INVALID);
    throw error;
  }
}

async function keyOf({ trx }: Work): Promise<Uint8Array> {
  const read = () => trx.query<{ key: Buffer }>('SELECT key FROM link_keys');
  const [known] = await read();
  if (known) return known.key;
  // Another transaction may create it at the same time.
  await trx.query('INSERT INTO link_keys (key) VALUES ($1) ON CONFLICT DO NOTHING', [randomBytes(KEY_BYTES)]);
  const [created] = await read();
  if (!created) throw new Error('the key of the links was not created');
  return created.key;
}
