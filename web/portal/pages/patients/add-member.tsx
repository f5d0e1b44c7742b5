/** Finds a patient, and adds them to a family. */

import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { useAfterPause } from '../../../kit/forms/typing.ts';
import { useRun } from '../../../kit/session/login.tsx';
import { ask } from '../../../kit/ui/ask.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { type OtherRelation, relationChoices } from './family-words.ts';
import { HandOverQuestion } from './hand-over.tsx';
import { bornText, nameOf } from './identity.ts';
import { type FamilyWithMembers, type Patient, patientKeys, readPatients } from './patients.queries.ts';

interface Props {
  readonly family: FamilyWithMembers;
  onAdded(): Promise<void>;
}

export function AddMember({ family, onAdded }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [relation, setRelation] = useState<OtherRelation | ''>('');
  const [isPayer, setPayer] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const relationField = useRef<HTMLSelectElement>(null);
  const q = useAfterPause(text.trim());
  const { isBusy, error, run } = useRun();
  const found = useQuery({
    queryKey: patientKeys.list({ q, page: undefined, sort: undefined }),
    queryFn: ({ signal }) => readPatients({ q }, signal),
    enabled: q.length > 1,
  });
  const others = (found.data?.data ?? []).filter(({ id }) => family.members.every(({ patientId }) => patientId !== id));
  const [leaving, setLeaving] = useState<{ readonly patientId: string; readonly from: FamilyWithMembers }>();
  const send = async (patientId: string, move: Pick<Schemas['NewFamilyMember'], 'fromFamilyId' | 'handOver'> = {}) => {
    const params = { path: { id: family.id }, header: { 'Idempotency-Key': crypto.randomUUID() } };
    const body = { patientId, isPayer, ...(relation === '' ? {} : { relation }), ...move };
    await dataOf(api.POST('/api/crm/families/{id}/members', { params, body }));
    setText('');
    setRelation('');
    setPayer(false);
    setLeaving(undefined);
    // For the next one.
    field.current?.focus();
    await onAdded();
  };
  const add = (patient: Patient) =>
    run(async () => {
      // It is asked, and not guessed.
      setAsked(relation === '');
      if (relation === '') return relationField.current?.focus();
      try {
        await send(patient.id);
      } catch (problem) {
        const fromFamilyId = familyOfOthers(problem);
        if (fromFamilyId === undefined) throw problem;
        const from = await dataOf(api.GET('/api/crm/families/{id}', { params: { path: { id: fromFamilyId } } }));
        if ([from.primaryContactId, from.payerId].includes(patient.id)) {
          return setLeaving({ patientId: patient.id, from });
        }
        const text = t('family.confirmMove', { name: nameOf(patient) });
        if (!(await ask(text, t('family.move'), t('family.moveHow')))) return;
        await send(patient.id, { fromFamilyId });
      }
    });
  return (
    <Stack px="md" gap="sm" component="section" aria-label={t('family.add')}>
      <Text fw={600} size="sm">
        {t('family.add')}
      </Text>
      <ErrorPanel error={error} />
      <Group gap="sm" align="flex-end">
        <TextInput
          ref={field}
          type="search"
          label={t('patients.search')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          style={{ flex: '1 1 14rem', maxWidth: '24rem' }}
        />
        <NativeSelect
          ref={relationField}
          label={t('family.relation')}
          value={relation}
          error={isAsked && relation === '' ? t('form.problem.required') : undefined}
          onChange={(event) => setRelation(event.currentTarget.value as OtherRelation)}
          data={[{ value: '', label: t('family.choose') }, ...relationChoices(t, family)]}
        />
        <Checkbox
          mb={8}
          label={t('family.payer')}
          checked={isPayer}
          onChange={(event) => setPayer(event.currentTarget.checked)}
        />
      </Group>
      {leaving && (
        <HandOverQuestion
          key={leaving.patientId}
          family={leaving.from}
          patientId={leaving.patientId}
          onAnswer={(handOver) => send(leaving.patientId, { fromFamilyId: leaving.from.id, handOver })}
          onCancel={() => {
            setLeaving(undefined);
            field.current?.focus();
          }}
        />
      )}
      {!leaving &&
        q.length > 1 &&
        found.isSuccess &&
        (others.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t('list.nothingFor', { text: q })}
          </Text>
        ) : (
          others.slice(0, 6).map((patient) => (
            <Group key={patient.id} gap="sm">
              <Button
                size="compact-sm"
                variant="default"
                loading={isBusy}
                leftSection={<IconUserPlus size={16} aria-hidden />}
                onClick={add(patient)}
              >
                {t('family.addOne', { name: nameOf(patient) })}
              </Button>
              <Text size="sm" c="dimmed">
                {patient.patientCode} · {bornText(t, patient.dateOfBirth)}
              </Text>
            </Group>
          ))
        ))}
    </Stack>
  );
}

/** The family in which somebody lives with others, if the module refuses to separate them unasked. */
function familyOfOthers(problem: unknown): string | undefined {
  const isRefused = problem instanceof ApiError && problem.code === 'ALREADY_FAMILY_MEMBER';
  return isRefused && typeof problem.details.familyId === 'string' ? problem.details.familyId : undefined;
}
