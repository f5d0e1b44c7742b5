/** Administrators who make somebody a VIP at the same time. */
import type { VipTier } from '@hms/domain/vip';
import { aPatient, type People, unique } from './people.ts';
import { type Proof, repeated, succeeded, unexpected, unless } from './proof.ts';

const MEMBERSHIPS = '/api/crm/vip-memberships';

export const MEMBERSHIP_SCENARIOS: readonly ((people: People) => Promise<Proof>)[] = [twoMemberships];

/** Two memberships of one patient at once, and two of their family. */
async function twoMemberships(people: People): Promise<Proof> {
  const { id: tierId } = await people.do<VipTier>('ADMIN', '/api/crm/vip-tiers', { name: unique('Gold') });
  return repeated('two memberships at once', async () => {
    const { id: patientId, familyId } = await aPatient(people);
    const create = (holder: object, who: string) =>
      people.send('ADMIN', 'POST', MEMBERSHIPS, { tierId, ...holder }, who);
    const answers = await Promise.all(
      [{ patientId }, { familyId }].flatMap((holder) => [' one', ' other'].map((who) => create(holder, who))),
    );
    const [held] = await people.rows<{ own: number; family: number }>(
      `SELECT count(patient_id)::integer AS own, count(family_id)::integer AS family FROM @vip_memberships
       WHERE patient_id = ? OR family_id = ?`,
      [patientId, familyId],
    );
    const violations = [
      ...unless(held?.own === 1, `the patient has ${held?.own} memberships`),
      ...unless(held?.family === 1, `the family has ${held?.family} memberships`),
      ...unless(succeeded(answers) === 2, `${succeeded(answers)} of four were accepted`),
      ...unexpected(answers, ['VIP_OVERLAP']),
    ];
    return { answers, violations };
  });
}
