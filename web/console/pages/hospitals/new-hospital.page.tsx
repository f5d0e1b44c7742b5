/** A new hospital: what it is, then the manifest that will be applied. */
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { Choice } from '../../../kit/forms/choice.tsx';
import { Field, FormBody, LeaveQuestion, type RecordForm, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { ClusterNotice } from './cluster-notice.tsx';
import { type NewFields, newBody, newHospital, prefixFor } from './fields.ts';
import { OwnerFields, PlaceFields } from './general-fields.tsx';
import { HOSPITALS, hospitalPath, hospitalQuery } from './hospitals.queries.ts';
import { Manifest } from './manifest.tsx';

const LIST: string = '/hospitals';

/** Of the browser: who creates a hospital is often where it is. */
function initialValues(): NewFields {
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    ...{
      prefix: '',
      name: '',
      timezone,
      currency: '',
      primaryColor: '',
      secondFactor: 'None',
      language: 'en',
      country: '',
    },
    ...{ deletionPolicy: 'Retain', email: '', firstName: '', lastName: '' },
  };
}

type Preview = Schemas['HospitalPreview'];
type Form = RecordForm<NewFields>;

export function NewHospitalPage() {
  const { t } = useTranslation();
  const [reviewed, setReviewed] = useState<{ readonly fields: NewFields; readonly preview: Preview }>();
  const form = useRecordForm<NewFields, readonly [NewFields, Preview]>({
    schema: newHospital,
    values: useMemo(initialValues, []),
    isStep: true,
    save: async (fields) => [
      fields,
      await dataOf(api.POST('/api/console/hospitals/preview', { body: newBody(fields) })),
    ],
    onSaved: ([fields, preview]) => setReviewed({ fields, preview }),
  });
  return (
    <Stack gap="md" maw="56rem">
      <PageHead title={t('hospitals.new')} />
      <ClusterNotice />
      {reviewed ? <Review {...reviewed} form={form} onBack={() => setReviewed(undefined)} /> : <Entry form={form} />}
    </Stack>
  );
}

function Entry({ form }: { readonly form: Form }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { register, setValue, getFieldState } = form.form;
  const name = register('name', {
    // Until somebody writes another one.
    onChange: ({ target }: { readonly target: HTMLInputElement }) => {
      if (!getFieldState('prefix').isDirty || form.form.getValues('prefix') === '')
        setValue('prefix', prefixFor(target.value));
    },
  });
  return (
    <Stack className="hms-panel" p="lg">
      <FormBody
        of={form}
        label={t('hospitals.new')}
        submitLabel={t('hospitals.review')}
        onCancel={() => void navigate({ to: LIST })}
      >
        <Field
          of={form}
          {...name}
          name="name"
          label={t('hospitals.name')}
          description={t('hospitals.nameHow')}
          placeholder="St. Mary’s Hospital"
          required
          autoFocus
          autoComplete="off"
        />
        <Field
          of={form}
          name="prefix"
          label={t('hospitals.prefix')}
          description={t('hospitals.prefixHow')}
          required
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
        />
        <PlaceFields of={form} />
        <Title order={2} size="h4">
          {t('hospitals.owner')}
        </Title>
        <Text size="sm">{t('hospitals.ownerHow')}</Text>
        <OwnerFields of={form} />
        <Choice
          of={form}
          name="deletionPolicy"
          label={t('hospitals.policy')}
          description={t('hospitals.policyHow')}
          data={(['Retain', 'Delete'] as const).map((value) => ({ value, label: t(`hospitals.policies.${value}`) }))}
        />
      </FormBody>
    </Stack>
  );
}

interface ReviewProps {
  readonly form: Form;
  readonly fields: NewFields;
  readonly preview: Schemas['HospitalPreview'];
  onBack(): void;
}

function Review({ form, fields, preview, onBack }: ReviewProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const create = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const created = await dataOf(api.POST('/api/console/hospitals', { body: newBody(fields) }));
      queries.setQueryData(hospitalQuery(created.prefix).queryKey, created);
      void queries.invalidateQueries({ queryKey: [HOSPITALS] });
      form.finish();
      await navigate({ to: hospitalPath(created.prefix) });
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return (
    <Stack className="hms-panel" p="lg" gap="md">
      <Text style={{ overflowWrap: 'anywhere' }}>{t('hospitals.reviewHow', { name: fields.name })}</Text>
      {preview.returns && <Text fw={500}>{t('hospitals.returns')}</Text>}
      <Manifest text={preview.manifest} name={fields.prefix} />
      <ErrorPanel error={error} />
      <Group gap="sm">
        <Button loading={isBusy} onClick={() => void create()} autoFocus>
          {t('hospitals.create')}
        </Button>
        <Button variant="default" onClick={onBack}>
          {t('hospitals.back')}
        </Button>
      </Group>
      <LeaveQuestion of={form} />
    </Stack>
  );
}
