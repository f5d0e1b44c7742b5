/** Registers a patient. If others may be the same person, somebody has to decide: there is no third way. */

import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { FormBody, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { usePhones } from '../../../kit/phones/phones.ts';
import { type ChosenFamily, FamilyOffer } from './family-offer.tsx';
import { bornText, listedNameOf } from './identity.ts';
import { bodyOf, NOBODY, type PatientFields, patientFields } from './patient.fields.ts';
import { PatientFieldset } from './patient.form.tsx';
import { type Candidate, type Patient, patientKeys } from './patients.queries.ts';

export function NewPatientPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [candidates, setCandidates] = useState<readonly Candidate[]>([]);
  const [family, setFamily] = useState<ChosenFamily>();
  const isNew = useRef(false);
  const form = useRecordForm<PatientFields, Patient>({
    schema: patientFields,
    values: NOBODY,
    save: (values, key) =>
      dataOf(
        api.POST('/api/hms/patients', {
          // Another decision is another request.
          params: { header: { 'Idempotency-Key': isNew.current ? `${key}.new` : key } },
          body: {
            ...bodyOf(values),
            rejectDuplicates: !isNew.current,
            ...(family ? { family: { id: family.family.id, relation: family.relation } } : {}),
          },
        }),
      ),
    onSaved: ({ id }) => {
      void queries.invalidateQueries({ queryKey: [patientKeys.all] });
      void navigate({ to: '/patients/$id', params: { id }, search: {} });
    },
    onError: ({ code, details }) => {
      if (code !== 'PATIENT_DUPLICATE') return false;
      setCandidates(details.candidates as readonly Candidate[]);
      return true;
    },
  });
  const typed = form.form.watch();
  return (
    <Stack gap="md" maw="52rem">
      <PageHead title={t('patients.new')} />
      <Stack className="hms-panel" p="lg">
        <FormBody
          of={form}
          label={t('patients.new')}
          submitLabel={t('patients.register')}
          onCancel={() => void navigate({ to: '/patients', search: {} })}
        >
          <PatientFieldset of={form} />
          <FamilyOffer typed={typed} chosen={family} onChoose={setFamily} />
          {candidates.length > 0 && (
            <LookAlikes
              candidates={candidates}
              typed={typed}
              isBusy={form.isBusy}
              onRegister={async () => {
                isNew.current = true;
                await form.submit();
                isNew.current = false;
              }}
            />
          )}
        </FormBody>
      </Stack>
    </Stack>
  );
}

interface LookAlikesProps {
  readonly candidates: readonly Candidate[];
  readonly typed: PatientFields;
  readonly isBusy: boolean;
  onRegister(): void;
}

/** What is the same is marked, so that one sees at a glance what differs. */
function LookAlikes({ candidates, typed, isBusy, onRegister }: LookAlikesProps) {
  const { t } = useTranslation();
  const phones = usePhones();
  const bare = (text: string) => text.replaceAll(/[\s().-]/g, '').toLowerCase();
  const shown = (text: string, same = false) => (same ? <mark>{text}</mark> : text);
  return (
    <Alert role="alert" color="warning" variant="outline" title={t('patients.alike', { count: candidates.length })}>
      <Stack gap="sm">
        <Text size="sm">{t('patients.alikeHow')}</Text>
        {candidates.map(({ id, patientCode, phone, dateOfBirth, ...named }) => (
          <Group key={id} gap="md">
            <Anchor renderRoot={(props) => <Link to="/patients/$id" params={{ id }} {...props} />} fw={500} size="sm">
              {t('patients.open', { code: patientCode })}
            </Anchor>
            <Text size="sm">
              {shown(
                listedNameOf({ patientCode, ...named }),
                bare(`${named.lastName}${named.firstName}`) === bare(typed.lastName + typed.firstName),
              )}
            </Text>
            <Text size="sm">{shown(bornText(t, dateOfBirth), dateOfBirth?.startsWith(typed.dateOfBirth || '-'))}</Text>
            <Text size="sm" dir="ltr">
              {phone !== null && shown(phones.show(phone), phone === typed.phone)}
            </Text>
          </Group>
        ))}
        <Group>
          <Button variant="default" loading={isBusy} onClick={onRegister}>
            {t('patients.registerAnyway')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
