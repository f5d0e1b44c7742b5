/** Families that a new patient may belong to, offered while somebody types. Choosing what the patient is in one chooses it. */

import { NativeSelect, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { FIELD_PAUSE_MS, useAfterPause } from '../../../kit/forms/typing.ts';
import { useMay } from '../../../kit/roles/can.tsx';
import { type OtherRelation, relationChoices } from './family-words.ts';
import { nameOf } from './identity.ts';
import { isWholeNumber } from './patient.fields.ts';
import { type FamilyWithMembers, suggestionsQuery } from './patients.queries.ts';

export interface ChosenFamily {
  readonly family: FamilyWithMembers;
  readonly relation: OtherRelation;
}

interface Props {
  readonly typed: { readonly phone: string; readonly lastName: string };
  readonly chosen: ChosenFamily | undefined;
  onChoose(chosen: ChosenFamily | undefined): void;
}

export function FamilyOffer({ typed, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const may = useMay();
  const lastName = useAfterPause(typed.lastName.trim(), FIELD_PAUSE_MS);
  const phone = useAfterPause(isWholeNumber(typed.phone) ? typed.phone : '', FIELD_PAUSE_MS);
  const isAllowed = may('suggestFamilies') && may('addFamilyMember');
  const isTyped = lastName !== '' || phone !== '';
  const found = useQuery({
    ...suggestionsQuery({ phone, lastName }),
    enabled: isAllowed && isTyped,
    placeholderData: keepPreviousData,
  });
  const offered = isAllowed && isTyped ? (found.data ?? []) : [];
  // What was chosen stays, whatever is typed later.
  const isKept = chosen !== undefined && offered.every(({ id }) => id !== chosen.family.id);
  const shown: readonly (FamilyWithMembers & { readonly hasPhone?: boolean })[] = [
    ...(isKept ? [chosen.family] : []),
    ...offered,
  ];
  if (shown.length === 0) return null;
  return (
    <Stack gap="sm" component="section" aria-label={t('family.offer')} className="hms-panel" p="md">
      <Text fw={600} size="sm" role="status">
        {t('family.offer')}
      </Text>
      <Text size="sm" c="dimmed">
        {t('family.offerHow')}
      </Text>
      {shown.map((family) => (
        <Stack key={family.id} gap={4}>
          <Text size="sm">
            <Text span fw={500}>
              {t('family.name', { name: family.name })}
            </Text>{' '}
            <span className="hms-number">{family.familyCode}</span>
            {family.hasPhone && <> · {t('family.samePhone')}</>}
          </Text>
          <Text size="sm" c="dimmed">
            {namesOf(family).map((name, index) => (
              <span key={name.id}>
                {index > 0 && t('family.and')}
                <bdi>{name.text}</bdi>
              </span>
            ))}
          </Text>
          <NativeSelect
            aria-label={t('family.joinAs', { name: family.name, code: family.familyCode })}
            value={chosen?.family.id === family.id ? chosen.relation : ''}
            onChange={({ currentTarget: { value } }) =>
              onChoose(value === '' ? undefined : { family, relation: value as OtherRelation })
            }
            data={[{ value: '', label: t('family.notIn') }, ...relationChoices(t, family)]}
            maw="24rem"
          />
        </Stack>
      ))}
    </Stack>
  );
}

function namesOf({ members }: FamilyWithMembers) {
  return members.map((one) => ({ id: one.id, text: nameOf(one) }));
}
