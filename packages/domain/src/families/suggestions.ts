/** Families that a new patient may belong to. */
import { itemWith, records, type Work } from '@hms/service';
import { z } from 'zod';
import { familiesLike } from '../patients/relatives.ts';
import { member } from './members.ts';
import { type FamilyWithMembers, families, withMembers } from './record.ts';

const MOST_SHOWN = 5;

export const suggestedFamily = itemWith(families, {
  members: z.array(member),
  hasPhone: z.boolean().describe('Whether a member has the phone number'),
  hasName: z.boolean().describe('Whether a member has the last name'),
}).meta({ id: 'SuggestedFamily' });
type Suggested = FamilyWithMembers & { readonly hasPhone: boolean; readonly hasName: boolean };

/** Up to five families with a member of this phone number or last name, the most likely first. */
export async function suggestFamilies(
  work: Work,
  person: { readonly phone?: string | undefined; readonly lastName?: string | undefined },
): Promise<Suggested[]> {
  const likely = await familiesLike(work, person, MOST_SHOWN);
  if (likely.length === 0) return [];
  const ids = likely.map(({ familyId }) => familyId);
  work.audit({ action: 'list', record: 'families', details: { reason: 'registration', ids } });
  const found = await Promise.all((await records(work, families).byIds(ids)).map((one) => withMembers(work, one)));
  return likely.flatMap(({ familyId, hasPhone, hasName }) => {
    const family = found.find(({ id }) => id === familyId);
    return family ? [{ ...family, hasPhone, hasName }] : [];
  });
}
