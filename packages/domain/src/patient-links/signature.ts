/** Signatures of links with which patients see and answer, without an account. */
import { Problem, type Work } from '@hms/service';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { LINK_ALGORITHM, linkKey } from '../links/key.ts';
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

const claims = z.union([
  z.object({ aud: z.literal('appointment'), sub: z.uuid(), from: z.enum(ANSWERABLE) }),
  z.object({ aud: z.literal('queue-entry'), sub: z.uuid() }),
]);

/** @param until when the link is of no use any more. @returns the address of a page of the hospital. */
export async function linkTo(work: Work, subject: Subject, until: Date): Promise<string> {
  const { id, kind } = subject;
  const token = await new SignJWT(kind === 'appointment' ? { from: subject.from } : {})
    .setProtectedHeader({ alg: LINK_ALGORITHM })
    .setIssuer(work.hospital.id)
    .setAudience(kind)
    .setSubject(id)
    .setExpirationTime(until)
    .sign(await linkKey(work));
  // The part behind # never reaches a server or its logs.
  return `${work.hospital.portal}/visit#${token}`;
}

/** @param link the part behind #. @throws Problem LINK_INVALID, LINK_EXPIRED */
export async function openLink(work: Work, link: string): Promise<Subject> {
  try {
    const { payload } = await jwtVerify(link, await linkKey(work), {
      algorithms: [LINK_ALGORITHM],
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
