/** Changes the personal data of a patient. A change that somebody else made meanwhile is shown, not overwritten. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { FormBody, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { useMay } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { bodyOf, fieldsOf, type PatientFields, PatientFieldset, patientFields } from './patient.form.tsx';
import { type Patient, patientKeys, patientQuery } from './patients.queries.ts';

export function PatientDetails({ patient }: { readonly patient: Patient }) {
  const { t } = useTranslation();
  const may = useMay();
  const zone = usePerson().hospital?.timezone;
  const queries = useQueryClient();
  const [isSaved, setSaved] = useState(false);
  const [theirs, setTheirs] = useState<Patient>();
  // What the form was filled with. It stays, whatever is read meanwhile.
  const [base, setBase] = useState(patient);
  const form = useRecordForm<PatientFields, Patient>({
    schema: patientFields,
    values: fieldsOf(base),
    save: (values) =>
      dataOf(
        api.PUT('/api/hms/patients/{id}', {
          params: { path: { id: patient.id } },
          body: { ...changed(values, base), version: base.version },
        }),
      ),
    onSaved: (saved) => {
      setTheirs(undefined);
      setSaved(true);
      setBase(saved);
      form.form.reset(fieldsOf(saved));
      queries.setQueryData(patientKeys.one(saved.id), saved);
      void queries.invalidateQueries({ queryKey: [patientKeys.all] });
    },
    onError: ({ code }) => {
      if (code !== 'STALE_VERSION') return false;
      void queries.fetchQuery({ ...patientQuery(patient.id), staleTime: 0 }).then(setTheirs);
      return true;
    },
  });
  const { isDirty } = form.form.formState;
  return (
    <Stack className="hms-panel" p="lg" maw="52rem">
      {theirs && (
        <Conflict
          mine={form.form.getValues()}
          base={base}
          theirs={theirs}
          onTheirs={() => {
            setBase(theirs);
            form.form.reset(fieldsOf(theirs));
            setTheirs(undefined);
          }}
          onMine={() => {
            const mine = changed(form.form.getValues(), base);
            setBase(theirs);
            form.form.reset(fieldsOf(theirs));
            // Only what was changed here: the rest is as it was saved.
            for (const [name, value] of Object.entries(mine))
              form.form.setValue(name as keyof PatientFields, value ?? '', { shouldDirty: true });
            setTheirs(undefined);
          }}
        />
      )}
      <Text role="status" size="sm" fw={500} c="brand.8">
        {isSaved && !isDirty ? t('form.saved') : ''}
      </Text>
      {may('changePatient') ? (
        <FormBody of={form} label={t('patients.tab.details')} submitLabel={t('form.save')}>
          <PatientFieldset of={form} />
        </FormBody>
      ) : (
        <PatientFieldset of={form} isReadOnly />
      )}
      <Text size="xs" c="dimmed">
        {t('patients.times', {
          created: showMoment(patient.createdAt, zone),
          updated: showMoment(patient.updatedAt, zone),
        })}
      </Text>
    </Stack>
  );
}

/** Only what differs is sent, so that a field that somebody else changed is not put back. */
function changed(values: PatientFields, base: Patient) {
  const [now, before] = [bodyOf(values), bodyOf(fieldsOf(base))];
  return Object.fromEntries(
    Object.entries(now).filter(([name, value]) => value !== before[name as keyof typeof before]),
  ) as Partial<typeof now>;
}

interface ConflictProps {
  readonly mine: PatientFields;
  readonly base: Patient;
  readonly theirs: Patient;
  onMine(): void;
  onTheirs(): void;
}

/** Field by field: what is typed here, and what somebody else has saved. */
function Conflict({ mine, base, theirs, onMine, onTheirs }: ConflictProps) {
  const { t } = useTranslation();
  const [before, saved] = [fieldsOf(base), fieldsOf(theirs)];
  const names = Object.keys(mine) as (keyof PatientFields)[];
  const differing = names.filter((name) => saved[name] !== before[name] || mine[name] !== before[name]);
  return (
    <Alert role="alert" color="#8a3a00" variant="outline" title={t('patients.conflict')}>
      <Stack gap="sm">
        <dl className="hms-facts">
          {differing.map((name) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{t(`patients.${name === 'dateOfBirth' ? 'born' : name}`)}</dt>
              <dd>{t('patients.yours', { mine: mine[name] || '–', theirs: saved[name] || '–' })}</dd>
            </div>
          ))}
        </dl>
        <Group gap="sm">
          <Button size="compact-sm" variant="default" onClick={onMine}>
            {t('patients.keepMine')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={onTheirs}>
            {t('patients.takeTheirs')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
