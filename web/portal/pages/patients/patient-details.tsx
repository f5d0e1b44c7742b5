/** The personal data of a patient. */
import { Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { ReadableForm } from '../../../kit/forms/readable-form.tsx';
import { LANGUAGES } from '../../../kit/i18n/i18n.ts';
import { Phone } from '../../../kit/phones/phone.tsx';
import { useMay } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showDay, showMoment } from '../../../kit/time/time.ts';
import { isDay } from '../../../kit/time/typed-day.ts';
import { Facts } from '../../../kit/ui/facts.tsx';
import { soon } from '../../../kit/ui/soon.tsx';
import { addressLines } from './address-lines.ts';
import { bodyOf, fieldsOf, type PatientFields, patientFields } from './patient.fields.ts';
import { type Patient, patientKeys, patientQuery } from './patients.queries.ts';

type Gender = NonNullable<Patient['gender']>;

const PatientFieldset = soon(async () => (await import('./patient.form.tsx')).PatientFieldset);

export function PatientDetails({ patient }: { readonly patient: Patient }) {
  const { t } = useTranslation();
  const may = useMay();
  const zone = usePerson().hospital?.timezone;
  const queries = useQueryClient();
  const { id, createdAt, updatedAt } = patient;
  return (
    <Stack className="hms-panel" p="lg" maw="52rem">
      <ReadableForm
        item={patient}
        schema={patientFields}
        label={t('patients.tab.details')}
        mayChange={may('changePatient')}
        valuesOf={fieldsOf}
        bodyOf={bodyOf}
        labelOf={(name) => t(`patients.${name as keyof PatientFields}`)}
        wordOf={(name, value) => {
          if (name === 'unknown') return t(`patients.${value as PatientFields['unknown'][number]}`);
          if (name === 'gender') return t(`patients.genders.${value as Gender}`);
          return name === 'dateOfBirth' && isDay(value) ? showDay(value) : value;
        }}
        save={(body) => dataOf(api.PUT('/api/hms/patients/{id}', { params: { path: { id } }, body }))}
        read={() => queries.fetchQuery({ ...patientQuery(id), staleTime: 0 })}
        onSaved={(saved) => {
          queries.setQueryData(patientKeys.one(id), saved);
          void queries.invalidateQueries({ queryKey: [patientKeys.all] });
        }}
        fields={(form) => <PatientFieldset of={form} />}
      >
        <PatientFacts patient={patient} />
      </ReadableForm>
      <Text size="xs" c="dimmed">
        {t('patients.times', { created: showMoment(createdAt, zone), updated: showMoment(updatedAt, zone) })}
      </Text>
    </Stack>
  );
}

function PatientFacts({ patient }: { readonly patient: Patient }) {
  const { t, i18n } = useTranslation();
  const { firstName, lastName, dateOfBirth, timeOfBirth, gender, phone, email, language, address, bloodGroup } =
    patient;
  const lines = addressLines(address, i18n.language);
  return (
    <Facts
      facts={[
        { label: t('patients.firstName'), value: firstName === null ? t('app.unknown') : <bdi>{firstName}</bdi> },
        { label: t('patients.lastName'), value: lastName === null ? t('app.unknown') : <bdi>{lastName}</bdi> },
        { label: t('patients.dateOfBirth'), value: dateOfBirth === null ? t('app.unknown') : showDay(dateOfBirth) },
        ...(timeOfBirth === null ? [] : [{ label: t('patients.timeOfBirth'), value: timeOfBirth }]),
        { label: t('patients.gender'), value: gender && t(`patients.genders.${gender}`) },
        { label: t('patients.phone'), value: <Phone kept={phone} /> },
        { label: t('patients.email'), value: email && <bdi dir="ltr">{email}</bdi> },
        { label: t('patients.language'), value: language && <bdi lang={language}>{LANGUAGES[language]}</bdi> },
        {
          label: t('patients.address'),
          value:
            lines.length > 0 &&
            lines.map((line) => (
              <div key={line}>
                <bdi>{line}</bdi>
              </div>
            )),
        },
        { label: t('patients.bloodGroup'), value: bloodGroup && <bdi dir="ltr">{bloodGroup.replace('-', '−')}</bdi> },
      ]}
    />
  );
}
