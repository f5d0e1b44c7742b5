/** What every hospital has: its name, place and look. */
import { SimpleGrid } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Choice } from '../../../kit/forms/choice.tsx';
import { Field, type RecordForm } from '../../../kit/forms/record-form.tsx';
import { countries } from '../../../kit/i18n/countries.ts';
import { LANGUAGES } from '../../../kit/i18n/i18n.ts';
import { OWN } from '../../../kit/ui/colors.ts';
import type { ExistingFields, NewFields } from './fields.ts';

type Form = RecordForm<NewFields> | RecordForm<ExistingFields>;

/** @param of the form of a new or an existing hospital: both have these fields. */
export function PlaceFields({ of: given }: { readonly of: Form }) {
  const of = given as RecordForm<ExistingFields>;
  const { t, i18n } = useTranslation();
  const zones = useMemo(
    () => ['UTC', ...Intl.supportedValuesOf('timeZone')].map((value) => ({ value, label: value })),
    [],
  );
  const currencies = useMemo(() => {
    const names = new Intl.DisplayNames(i18n.language, { type: 'currency' });
    return Intl.supportedValuesOf('currency').map((value) => ({ value, label: `${value} – ${names.of(value)}` }));
  }, [i18n.language]);
  const lands = useMemo(() => [...countries(i18n.language)], [i18n.language]);
  const languages = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Choice
        of={of}
        name="timezone"
        label={t('hospitals.timezone')}
        description={t('hospitals.timezoneHow')}
        data={zones}
      />
      <Choice
        of={of}
        name="country"
        label={t('hospitals.country')}
        description={t('hospitals.countryHow')}
        data={lands}
      />
      <Choice
        of={of}
        name="currency"
        label={t('hospitals.currency')}
        description={t('hospitals.currencyHow')}
        data={currencies}
      />
      <Choice of={of} name="language" label={t('hospitals.language')} data={languages} />
      <ColorField of={of} />
      <Choice
        of={of}
        name="secondFactor"
        label={t('hospitals.secondFactor')}
        data={(['None', 'Email'] as const).map((value) => ({ value, label: t(`hospitals.factor.${value}`) }))}
      />
    </SimpleGrid>
  );
}

/** A colour, typed or chosen. */
function ColorField({ of }: { readonly of: RecordForm<ExistingFields> }) {
  const { t } = useTranslation();
  const value = of.form.watch('primaryColor');
  return (
    <Field
      of={of}
      name="primaryColor"
      label={t('hospitals.color')}
      placeholder={OWN}
      autoComplete="off"
      dir="ltr"
      rightSection={
        <input
          type="color"
          aria-label={t('hospitals.chooseColor')}
          className="hms-color"
          value={/^#[0-9a-f]{6}$/i.test(value ?? '') ? value : OWN}
          onChange={({ currentTarget }) =>
            of.form.setValue('primaryColor', currentTarget.value, { shouldDirty: true, shouldValidate: true })
          }
        />
      }
    />
  );
}

export function OwnerFields({ of: given }: { readonly of: Form }) {
  const of = given as RecordForm<ExistingFields>;
  const { t } = useTranslation();
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <Field of={of} name="firstName" label={t('hospitals.firstName')} autoComplete="off" />
      <Field of={of} name="lastName" label={t('hospitals.lastName')} autoComplete="off" />
      <Field of={of} name="email" type="email" label={t('hospitals.email')} autoComplete="off" dir="ltr" />
    </SimpleGrid>
  );
}
