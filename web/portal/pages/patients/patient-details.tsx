/** The personal data of a patient. */
import { Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { EditForm } from '../../../kit/forms/edit-form.tsx';
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
  const { id, createdAt, updatedAt } = patient;
  return (
    <Stack className="hms-panel" p="lg" maw="52rem">
      <EditForm
        item={patient}
        schema={patientFields}
        label={t('patients.tab.details')}
        mayChange={may('changePatient')}
        valuesOf={fieldsOf}
        bodyOf={bodyOf}
        labelOf={(name) => t(`patients.${name as keyof PatientFields}`)}
        save={(body) => dataOf(api.PUT('/api/hms/patients/{id}', { params: { path: { id } }, body }))}
        read={() => queries.fetchQuery({ ...patientQuery(id), staleTime: 0 })}
        onSaved={(saved) => {
          queries.setQueryData(patientKeys.one(id), saved);
          void queries.invalidateQueries({ queryKey: [patientKeys.all] });
        }}
        fields={(form, isReadOnly) => <PatientFieldset of={form} isReadOnly={isReadOnly} />}
      />
      <Text size="xs" c="dimmed">
        {t('patients.times', { created: showMoment(createdAt, zone), updated: showMoment(updatedAt, zone) })}
      </Text>
    </Stack>
  );
}
