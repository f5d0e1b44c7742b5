/** The family of a patient. */
import { Anchor, Badge, Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { useAfterPause } from '../../../kit/forms/typing.ts';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { showDay } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { familyQuery, type Patient, patientKeys, readPatients } from './patients.queries.ts';

type Member = Schemas['FamilyMember'];
const RELATIONS = ['spouse', 'child', 'parent', 'other'] as const;

export function PatientFamily({ patient }: { readonly patient: Patient }) {
  const { t } = useTranslation();
  const may = useMay();
  const queries = useQueryClient();
  const family = useQuery(familyQuery(patient.id, patient.familyId));
  const { error, run } = useRun();
  const changed = () => queries.invalidateQueries({ queryKey: [patientKeys.all] });
  if (patient.familyId === null)
    return (
      <Text className="hms-panel" p="xl" ta="center" c="dimmed">
        {t('family.none')}
      </Text>
    );
  if (!family.data) return <ErrorPanel error={family.error} onRetry={() => void family.refetch()} />;
  const { id, name, familyCode, primaryContactId, members, version } = family.data;
  const remove = ({ id: memberId }: Member) =>
    run(async () => {
      await dataOf(api.DELETE('/api/crm/families/{id}/members/{memberId}', { params: { path: { id, memberId } } }));
      await changed();
    });
  const makePrimary = ({ patientId }: Member) =>
    run(async () => {
      const body = { patientId, version };
      await dataOf(api.PUT('/api/crm/families/{id}/primary-contact', { params: { path: { id } }, body }));
      await changed();
    });
  return (
    <Stack className="hms-panel" gap="sm" pb="md">
      <Group px="md" pt="md" gap="sm">
        <Text fw={600}>{t('family.name', { name })}</Text>
        <Text size="sm" c="dimmed" className="hms-number">
          {familyCode}
        </Text>
      </Group>
      {error !== undefined && (
        <Stack px="md">
          <ErrorPanel error={error} />
        </Stack>
      )}
      <DataTable
        label={t('patients.tab.family')}
        rows={members}
        rowKey={(member) => member.id}
        columns={[
          {
            key: 'name',
            title: t('patients.name'),
            render: ({ patientId, firstName, lastName }) => (
              <Anchor
                size="sm"
                fw={500}
                renderRoot={(props) => (
                  <Link to="/patients/$id" params={{ id: patientId }} search={{ tab: 'family' }} {...props} />
                )}
              >
                <bdi>
                  {lastName}, {firstName}
                </bdi>
              </Anchor>
            ),
          },
          {
            key: 'code',
            title: t('patients.code'),
            render: ({ patientCode }) => <span className="hms-number">{patientCode}</span>,
          },
          {
            key: 'relation',
            title: t('family.relation'),
            render: ({ relation, patientId, isPayer }) => (
              <Group gap={6}>
                {t(`family.relations.${relation}`)}
                {patientId === primaryContactId && (
                  <Badge variant="light" tt="none">
                    {t('family.primary')}
                  </Badge>
                )}
                {isPayer && (
                  <Badge variant="outline" tt="none">
                    {t('family.payer')}
                  </Badge>
                )}
              </Group>
            ),
          },
          ...(may('removeFamilyMember')
            ? [
                {
                  key: 'actions',
                  title: t('list.actions'),
                  render: (member: Member) =>
                    member.patientId === primaryContactId ? (
                      ''
                    ) : (
                      <Group gap={4}>
                        <Button size="compact-sm" variant="subtle" onClick={makePrimary(member)}>
                          {t('family.makePrimary')}
                        </Button>
                        <Button size="compact-sm" variant="subtle" color="red" onClick={remove(member)}>
                          {t('family.remove')}
                        </Button>
                      </Group>
                    ),
                },
              ]
            : []),
        ]}
      />
      <Can operation="addFamilyMember">
        <AddMember familyId={id} members={members} onAdded={changed} />
      </Can>
    </Stack>
  );
}

interface AddProps {
  readonly familyId: string;
  readonly members: readonly Member[];
  onAdded(): Promise<void>;
}

/** Finds a patient and adds them. */
function AddMember({ familyId, members, onAdded }: AddProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [relation, setRelation] = useState<(typeof RELATIONS)[number]>('other');
  const [isPayer, setPayer] = useState(false);
  const q = useAfterPause(text.trim());
  const { isBusy, error, run } = useRun();
  const found = useQuery({
    queryKey: patientKeys.list({ q, page: undefined, sort: undefined }),
    queryFn: ({ signal }) => readPatients({ q }, signal),
    enabled: q.length > 1,
  });
  const others = (found.data?.data ?? []).filter(({ id }) => members.every(({ patientId }) => patientId !== id));
  const add = (patientId: string) =>
    run(async () => {
      const header = { 'Idempotency-Key': crypto.randomUUID() };
      const params = { path: { id: familyId }, header };
      await dataOf(api.POST('/api/crm/families/{id}/members', { params, body: { patientId, relation, isPayer } }));
      setText('');
      await onAdded();
    });
  return (
    <Stack px="md" gap="sm" component="section" aria-label={t('family.add')}>
      <Text fw={600} size="sm">
        {t('family.add')}
      </Text>
      <ErrorPanel error={error} />
      <Group gap="sm" align="flex-end">
        <TextInput
          type="search"
          label={t('patients.search')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          style={{ flex: '1 1 14rem', maxWidth: '24rem' }}
        />
        <NativeSelect
          label={t('family.relation')}
          value={relation}
          onChange={(event) => setRelation(event.currentTarget.value as typeof relation)}
          data={RELATIONS.map((value) => ({ value, label: t(`family.relations.${value}`) }))}
        />
        <Checkbox
          mb={8}
          label={t('family.payer')}
          checked={isPayer}
          onChange={(event) => setPayer(event.currentTarget.checked)}
        />
      </Group>
      {q.length > 1 &&
        found.isSuccess &&
        (others.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('list.nothingFor', { text: q })}
          </Text>
        ) : (
          others.slice(0, 6).map(({ id, firstName, lastName, patientCode, dateOfBirth }) => (
            <Group key={id} gap="sm">
              <Button
                size="compact-sm"
                variant="default"
                loading={isBusy}
                leftSection={<IconUserPlus size={16} aria-hidden />}
                onClick={add(id)}
              >
                {t('family.addOne', { name: `${firstName} ${lastName}` })}
              </Button>
              <Text size="sm" c="dimmed">
                {patientCode} · {showDay(dateOfBirth)}
              </Text>
            </Group>
          ))
        ))}
    </Stack>
  );
}
