/** The fields of a patient, for the registration and for the record. */
import { NewPatient } from '@hms/api-client/limits/NewPatient';
import { SimpleGrid } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Choice } from '../../../kit/forms/choice.tsx';
import { DayField } from '../../../kit/forms/day-field.tsx';
import { Field, type RecordForm } from '../../../kit/forms/record-form.tsx';
import { countries } from '../../../kit/i18n/countries.ts';
import { LANGUAGES } from '../../../kit/i18n/i18n.ts';
import { PhoneField } from '../../../kit/phones/phone-field.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { todayIn } from '../../../kit/time/time.ts';
import { asksTimeOfBirth, type PatientFields, unknownOf } from './patient.fields.ts';
import { UnknownFields } from './unknown-fields.tsx';

export function PatientFieldset({ of }: { readonly of: RecordForm<PatientFields> }) {
  const { t, i18n } = useTranslation();
  // The form renders at each key.
  const countryNames = useMemo(() => countries(i18n.language), [i18n.language]);
  const today = todayIn(usePerson().hospital?.timezone);
  const common = { of, autoComplete: 'off' };
  const typed = of.form.watch();
  const unknown = unknownOf(typed);
  const demanded = (name: (typeof unknown)[number]) =>
    unknown.includes(name) ? { disabled: true, placeholder: t('app.unknown') } : { required: true };
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <Field {...common} name="firstName" label={t('patients.firstName')} {...demanded('firstName')} autoFocus />
        <Field {...common} name="lastName" label={t('patients.lastName')} {...demanded('lastName')} />
        <DayField
          {...common}
          name="dateOfBirth"
          max={today}
          min="1850-01-01"
          label={t('patients.dateOfBirth')}
          {...demanded('dateOfBirth')}
        />
        {asksTimeOfBirth(typed, today) && (
          <Field {...common} name="timeOfBirth" type="time" label={t('patients.timeOfBirth')} />
        )}
        <Choice
          {...common}
          name="gender"
          label={t('patients.gender')}
          data={NewPatient.gender.choices.map((value) => ({ value, label: t(`patients.genders.${value}`) }))}
        />
        <PhoneField of={of} name="phone" label={t('patients.phone')} {...demanded('phone')} />
        <Field {...common} name="email" type="email" dir="ltr" label={t('patients.email')} />
        <Choice
          {...common}
          name="language"
          label={t('patients.language')}
          emptyLabel={t('patients.languageOfHospital')}
          data={NewPatient.language.choices.map((value) => ({ value, label: LANGUAGES[value] }))}
        />
        <Field {...common} name="street" label={t('patients.street')} />
        <Field {...common} name="city" label={t('patients.city')} />
        <Field {...common} name="postalCode" label={t('patients.postalCode')} dir="ltr" />
        <Field {...common} name="region" label={t('patients.region')} />
        <Choice {...common} name="country" label={t('patients.country')} data={countryNames} />
        <Choice
          {...common}
          name="bloodGroup"
          label={t('patients.bloodGroup')}
          dir="ltr"
          data={NewPatient.bloodGroup.choices.map((value) => ({ value, label: value.replace('-', '−') }))}
        />
      </SimpleGrid>
      <UnknownFields of={of} />
    </>
  );
}
