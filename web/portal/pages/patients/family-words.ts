/** How relations are said. They are relative to the primary contact of a family, whose name is said with them. */

import { NewFamilyMember } from '@hms/api-client/limits/NewFamilyMember';
import type { TFunction } from 'i18next';
import { nameOf } from './identity.ts';
import type { FamilyWithMembers } from './patients.queries.ts';

export type OtherRelation = Exclude<(typeof NewFamilyMember.relation.choices)[number], 'self'>;
const RELATIONS = NewFamilyMember.relation.choices.filter((one): one is OtherRelation => one !== 'self');

/** Choices such as “Child of Jane Doe”. */
export function relationChoices(t: TFunction, { primaryContactId, members }: FamilyWithMembers) {
  const contact = members.find(({ patientId }) => patientId === primaryContactId);
  return relationsTo(t, contact ? nameOf(contact) : '');
}

export function relationsTo(t: TFunction, name: string) {
  return RELATIONS.map((value) => ({ value, label: t(`family.relationTo.${value}`, { name }) }));
}
