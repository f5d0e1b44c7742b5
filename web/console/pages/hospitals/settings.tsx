/** What can be chosen about a hospital. */
import { SimpleGrid, Stack, Text, Textarea, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { Choice } from '../../../kit/forms/choice.tsx';
import { ReadableForm } from '../../../kit/forms/readable-form.tsx';
import { Field, problemOf, type RecordForm } from '../../../kit/forms/record-form.tsx';
import { LANGUAGES, type Language, wordOf } from '../../../kit/i18n/i18n.ts';
import { useMay } from '../../../kit/roles/can.tsx';
import { Facts } from '../../../kit/ui/facts.tsx';
import { changesOf, type ExistingFields, existingHospital, NUMBERS, SWITCHES, TEXTS, valuesOf } from './fields.ts';
import { OwnerFields, PlaceFields } from './general-fields.tsx';
import { HOSPITALS, hospitalQuery, type ManagedHospital } from './hospitals.queries.ts';

const SHOWN = [
  ...(['name', 'timezone', 'country', 'currency', 'language', 'primaryColor', 'secondFactor'] as const),
  ...(['accessTokenLifespan', 'keyRotationDays', 'hosts', 'address'] as const),
  ...TEXTS,
  'queueDisplayName',
  ...NUMBERS,
  ...SWITCHES,
] as const;

export function Settings({ hospital }: { readonly hospital: ManagedHospital }) {
  const { t } = useTranslation();
  const may = useMay();
  const queries = useQueryClient();
  const labelOf = (name: string) => t(`hospitals.setting.${name as (typeof SHOWN)[number]}`);
  const path = { hospital: hospital.prefix };
  const values = valuesOf(hospital);
  return (
    <Stack className="hms-panel" p="lg">
      <ReadableForm
        item={hospital}
        schema={existingHospital}
        label={t('hospitals.tabs.settings')}
        mayChange={may('changeHospital') && hospital.status !== 'Deleting'}
        valuesOf={valuesOf}
        bodyOf={changesOf}
        labelOf={labelOf}
        save={(body) => dataOf(api.PUT('/api/console/hospitals/{hospital}', { params: { path }, body }))}
        read={() => queries.fetchQuery({ ...hospitalQuery(hospital.prefix), staleTime: 0 })}
        onSaved={(saved) => {
          queries.setQueryData(hospitalQuery(hospital.prefix).queryKey, saved);
          void queries.invalidateQueries({ queryKey: [HOSPITALS] });
        }}
        fields={(form) => <Fieldset of={form} />}
      >
        <Facts
          facts={SHOWN.map((name) => ({
            label: labelOf(name),
            value: <bdi style={{ whiteSpace: 'pre-line' }}>{shown(name, values[name])}</bdi>,
          }))}
        />
      </ReadableForm>
    </Stack>
  );
}

function shown(name: string, value: string): string {
  if (name === 'language' && value in LANGUAGES) return LANGUAGES[value as Language];
  const group = { secondFactor: 'factor', queueDisplayName: 'display' }[name] ?? 'answer';
  return value === '' ? '–' : (wordOf(`hospitals.${group}.${value}`) ?? value);
}

function Fieldset({ of }: { readonly of: RecordForm<ExistingFields> }) {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      <Field of={of} name="name" label={t('hospitals.setting.name')} required autoComplete="off" />
      <PlaceFields of={of} />
      <Heading text={t('hospitals.owner')} />
      <Text size="sm">{t('hospitals.ownerHow')}</Text>
      <OwnerFields of={of} />
      <Heading text={t('hospitals.loginAndAddress')} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Field of={of} name="accessTokenLifespan" label={t('hospitals.setting.accessTokenLifespan')} dir="ltr" />
        <Field
          of={of}
          name="keyRotationDays"
          label={t('hospitals.setting.keyRotationDays')}
          inputMode="numeric"
          dir="ltr"
        />
        <Lines
          of={of}
          name="hosts"
          label={t('hospitals.setting.hosts')}
          description={t('hospitals.hostsHow')}
          dir="ltr"
        />
        <Lines of={of} name="address" label={t('hospitals.setting.address')} description={t('hospitals.addressHow')} />
      </SimpleGrid>
      <Heading text={t('hospitals.work')} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {TEXTS.map((name) => (
          <Field key={name} of={of} name={name} label={t(`hospitals.setting.${name}`)} autoComplete="off" dir="ltr" />
        ))}
        <Choice
          of={of}
          name="queueDisplayName"
          label={t('hospitals.setting.queueDisplayName')}
          data={(['Token', 'Initials'] as const).map((value) => ({ value, label: t(`hospitals.display.${value}`) }))}
        />
        {NUMBERS.map((name) => (
          <Field key={name} of={of} name={name} label={t(`hospitals.setting.${name}`)} inputMode="numeric" dir="ltr" />
        ))}
        {SWITCHES.map((name) => (
          <Choice
            key={name}
            of={of}
            name={name}
            label={t(`hospitals.setting.${name}`)}
            data={(['yes', 'no'] as const).map((value) => ({ value, label: t(`hospitals.answer.${value}`) }))}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function Heading({ text }: { readonly text: string }) {
  return (
    <Title order={2} size="h4">
      {text}
    </Title>
  );
}

interface LinesProps {
  readonly of: RecordForm<ExistingFields>;
  readonly name: 'hosts' | 'address';
  readonly label: string;
  readonly description: string;
  readonly dir?: 'ltr';
}

function Lines({ of, name, ...input }: LinesProps) {
  const { error } = of.form.getFieldState(name, of.form.formState);
  return <Textarea {...input} {...of.form.register(name)} autosize minRows={2} error={problemOf(error?.message)} />;
}
