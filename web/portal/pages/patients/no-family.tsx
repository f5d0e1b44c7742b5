/** A patient in no family founds one, or joins one. */

import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { SearchPicker } from '../../../kit/forms/search-picker.tsx';
import { Can } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { type OtherRelation, relationChoices } from './family-words.ts';
import { nameOf } from './identity.ts';
import { type FamilyWithMembers, type Patient, readFamilies } from './patients.queries.ts';

interface Props {
  readonly patient: Patient;
  onChanged(): Promise<void>;
}

export function NoFamily({ patient, onChanged }: Props) {
  const { t } = useTranslation();
  return (
    <Stack className="hms-panel" p="md" gap="lg">
      <Text ta="center" c="dimmed">
        {t('family.none')}
      </Text>
      <Can operation="createFamily">
        <Found patient={patient} onChanged={onChanged} />
      </Can>
      <Can operation="addFamilyMember">
        <Join patient={patient} onChanged={onChanged} />
      </Can>
    </Stack>
  );
}

function Found({ patient, onChanged }: Props) {
  const { t } = useTranslation();
  const [name, setName] = useState(patient.lastName ?? patient.firstName ?? '');
  const { isBusy, error, run } = useRun();
  const found = run(async () => {
    const header = { 'Idempotency-Key': crypto.randomUUID() };
    const body = { name: name.trim(), primaryContactId: patient.id };
    await dataOf(api.POST('/api/crm/families', { params: { header }, body }));
    await onChanged();
  });
  return (
    <form onSubmit={found} aria-label={t('family.found')}>
      <Stack gap="sm">
        <ErrorPanel error={error} />
        <Group gap="sm" align="flex-end">
          <TextInput
            label={t('family.familyName')}
            required
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            style={{ flex: '1 1 14rem', maxWidth: '24rem' }}
          />
          <Button type="submit" loading={isBusy}>
            {t('family.found')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Join({ patient, onChanged }: Props) {
  const { t } = useTranslation();
  const [family, setFamily] = useState<FamilyWithMembers>();
  const [relation, setRelation] = useState<OtherRelation>();
  const { isBusy, error, run } = useRun();
  const choose = (id: string) =>
    run(async () => {
      setRelation(undefined);
      setFamily(await dataOf(api.GET('/api/crm/families/{id}', { params: { path: { id } } })));
    })();
  const join = run(async () => {
    if (!family || !relation) return;
    const params = { path: { id: family.id }, header: { 'Idempotency-Key': crypto.randomUUID() } };
    const body = { patientId: patient.id, relation };
    await dataOf(api.POST('/api/crm/families/{id}/members', { params, body }));
    await onChanged();
  });
  return (
    <Stack gap="sm" component="section" aria-label={t('family.join')}>
      <Text fw={600} size="sm">
        {t('family.join')}
      </Text>
      <ErrorPanel error={error} />
      <SearchPicker
        label={t('family.findFamily')}
        queryKey="families"
        read={readFamilies}
        rowKey={({ id }) => id}
        codeOf={({ familyCode }) => familyCode}
        render={({ name, familyCode }) => (
          <>
            <bdi>{name}</bdi>{' '}
            <Text span size="sm" c="dimmed" className="hms-number">
              {familyCode}
            </Text>
          </>
        )}
        onPick={({ id }) => void choose(id)}
      />
      {family && (
        <form onSubmit={join} aria-label={t('family.joinOne', { name: family.name })}>
          <Group gap="sm" align="flex-end">
            <NativeSelect
              // Another family asks again.
              key={family.id}
              label={t('family.whatIs', { name: nameOf(patient) })}
              required
              autoFocus
              value={relation ?? ''}
              onChange={({ currentTarget: { value } }) =>
                setRelation((value || undefined) as OtherRelation | undefined)
              }
              data={[{ value: '', label: t('family.choose') }, ...relationChoices(t, family)]}
              style={{ flex: '1 1 14rem', maxWidth: '24rem' }}
            />
            <Button type="submit" loading={isBusy}>
              {t('family.joinOne', { name: family.name })}
            </Button>
          </Group>
        </form>
      )}
    </Stack>
  );
}
