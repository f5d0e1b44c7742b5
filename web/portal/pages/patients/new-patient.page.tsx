/** Registers a patient. If others may be the same person, the form says so while it is filled, and wants a reason. */

import { Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { FormBody, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { later } from '../../../kit/ui/later.ts';
import { type ChosenFamily, FamilyOffer } from './family-offer.tsx';
import { bodyOf, NOBODY, type PatientFields, patientFields } from './patient.fields.ts';
import { PatientFieldset } from './patient.form.tsx';
import { type Candidate, type Patient, patientKeys } from './patients.queries.ts';
import { useAlike } from './use-alike.ts';
import './new-patient.css';

const LookAlikes = later(() => import('./look-alikes.tsx'), 'LookAlikes');

export function NewPatientPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  /** Whom the module has found beside an input, in case that the search had not. */
  const [refused, setRefused] = useState<{ readonly input: string; readonly candidates: readonly Candidate[] }>();
  /** Why it is another person than these. Others need another reason. */
  const [reason, setReason] = useState({ ids: '', text: '' });
  const [family, setFamily] = useState<ChosenFamily>();
  const reasonRef = useRef<HTMLInputElement>(null);
  const form = useRecordForm<PatientFields, Patient>({
    schema: patientFields,
    values: NOBODY,
    save: (values, key): Promise<Patient> =>
      dataOf(
        api.POST('/api/hms/patients', {
          params: { header: { 'Idempotency-Key': key } },
          body: {
            ...bodyOf(values),
            rejectDuplicates: true,
            ...(text.trim() === '' ? {} : { otherThan: { patientIds: candidates.map(({ id }) => id), reason: text } }),
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
      setRefused({ input: inputOf(typed), candidates: details.candidates as readonly Candidate[] });
      setTimeout(() => reasonRef.current?.focus());
      return true;
    },
  });
  const typed: PatientFields = form.form.watch();
  const alike = useAlike(typed);
  const isRefused = refused?.input === inputOf(typed);
  const candidates: readonly Candidate[] = isRefused ? refused.candidates : alike;
  const ids = candidates.map(({ id }) => id).join();
  const text = reason.ids === ids ? reason.text : '';
  return (
    <Stack gap="md" maw="74rem">
      <PageHead title={t('patients.new')} />
      <Stack className="hms-panel" p="lg">
        <FormBody
          of={form}
          label={t('patients.new')}
          submitLabel={t('patients.register')}
          onCancel={() => void navigate({ to: '/patients', search: {} })}
        >
          <div className="hms-beside">
            <Stack gap="md">
              <PatientFieldset of={form} />
              <FamilyOffer typed={typed} chosen={family} onChoose={setFamily} />
            </Stack>
            {candidates.length > 0 && (
              <Suspense>
                <LookAlikes
                  {...{ candidates, typed, reasonRef }}
                  reason={text}
                  isDemanded={isRefused}
                  onReason={(next) => setReason({ ids, text: next })}
                />
              </Suspense>
            )}
          </div>
        </FormBody>
      </Stack>
    </Stack>
  );
}

function inputOf(typed: PatientFields): string {
  return JSON.stringify(bodyOf(typed));
}
