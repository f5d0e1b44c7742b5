/** The form of a patient's allergies and alerts. */
import { NewPatient } from '@hms/api-client/limits/NewPatient';
import { Button, Checkbox, Fieldset, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useFieldArray } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf } from '../../../kit/api/api.ts';
import { AddButton } from '../../../kit/forms/add-button.tsx';
import { Choice } from '../../../kit/forms/choice.tsx';
import { textIn } from '../../../kit/forms/limits.ts';
import { ReadableForm } from '../../../kit/forms/readable-form.tsx';
import { Field, type RecordForm } from '../../../kit/forms/record-form.tsx';
import { useMay } from '../../../kit/roles/can.tsx';
import { Facts } from '../../../kit/ui/facts.tsx';
import { type Patient, patientKeys, patientQuery } from './patients.queries.ts';

const { substance, severity, note } = NewPatient.allergies.parts;

const warningFields = z.object({
  allergies: z.array(
    z.object({ substance: textIn(substance), severity: z.enum(severity.choices, 'required'), note: textIn(note) }),
  ),
  hasNoAllergies: z.boolean(),
  alerts: z.array(z.object({ text: textIn({ ...NewPatient.alerts, required: true }) })),
});
type WarningFields = z.output<typeof warningFields>;

function fieldsOf({ allergies, alerts }: Patient): WarningFields {
  return {
    allergies: (allergies ?? []).map(({ substance, severity, note = '' }) => ({ substance, severity, note })),
    hasNoAllergies: allergies?.length === 0,
    alerts: alerts.map((alert) => ({ text: alert })),
  };
}

/** A list that nobody asked for is none. An empty one says that there are no allergies. */
function bodyOf({ allergies, hasNoAllergies, alerts }: WarningFields) {
  const list = allergies.map(({ note, ...allergy }) => (note === '' ? allergy : { ...allergy, note }));
  return {
    allergies: list.length > 0 || hasNoAllergies ? list : null,
    alerts: alerts.map(({ text: alert }) => alert),
  };
}

export function WarningsForm({ patient }: { readonly patient: Patient }) {
  const { t } = useTranslation();
  const may = useMay();
  const queries = useQueryClient();
  const { id } = patient;
  return (
    <Stack className="hms-panel" p="lg" maw="52rem">
      <ReadableForm
        item={patient}
        schema={warningFields}
        label={t('patients.tab.warnings')}
        mayChange={may('changePatient')}
        valuesOf={fieldsOf}
        bodyOf={bodyOf}
        labelOf={(name) => t(`patients.${name as keyof WarningFields}`)}
        save={(body) => dataOf(api.PUT('/api/hms/patients/{id}', { params: { path: { id } }, body }))}
        read={() => queries.fetchQuery({ ...patientQuery(id), staleTime: 0 })}
        onSaved={(saved) => {
          queries.setQueryData(patientKeys.one(id), saved);
          void queries.invalidateQueries({ queryKey: [patientKeys.all] });
        }}
        fields={(form) => <WarningsFieldset of={form} />}
      >
        <WarningFacts patient={patient} />
      </ReadableForm>
    </Stack>
  );
}

function WarningFacts({ patient: { allergies, alerts } }: { readonly patient: Patient }) {
  const { t } = useTranslation();
  const known = (allergies ?? []).map(({ substance, severity, note }) => (
    <div key={`${substance} ${severity}`}>
      {t('patients.allergicTo', { substance, severity: t(`patients.severities.${severity}`) })}
      {note && (
        <Text size="sm" c="dimmed">
          <bdi>{note}</bdi>
        </Text>
      )}
    </div>
  ));
  return (
    <Facts
      facts={[
        {
          label: t('patients.allergies'),
          value: known.length > 0 ? known : t(allergies ? 'patients.noAllergies' : 'patients.notAsked'),
        },
        {
          label: t('patients.alerts'),
          value:
            alerts.length > 0 &&
            alerts.map((alert) => (
              <div key={alert}>
                <bdi>{alert}</bdi>
              </div>
            )),
        },
      ]}
    />
  );
}

function WarningsFieldset({ of }: { readonly of: RecordForm<WarningFields> }) {
  const { t } = useTranslation();
  const { control } = of.form;
  const allergies = useFieldArray({ control, name: 'allergies' });
  const alerts = useFieldArray({ control, name: 'alerts' });
  const common = { of, autoComplete: 'off' };
  const severities = severity.choices.map((value) => ({ value, label: t(`patients.severities.${value}`) }));
  return (
    <Stack gap="md">
      <Fieldset legend={t('patients.allergies')}>
        <Stack gap="sm">
          {allergies.fields.map(({ id }, index) => (
            <Group key={id} gap="sm" align="flex-start">
              <Field {...common} name={`allergies.${index}.substance`} label={t('patients.substance')} required />
              <Choice
                {...common}
                name={`allergies.${index}.severity`}
                label={t('patients.severity')}
                data={severities}
                required
              />
              <Field {...common} name={`allergies.${index}.note`} label={t('patients.note')} />
              <Button mt={24} variant="default" onClick={() => allergies.remove(index)}>
                {t('patients.remove')}
              </Button>
            </Group>
          ))}
          {allergies.fields.length === 0 && (
            <Checkbox {...of.form.register('hasNoAllergies')} label={t('patients.hasNoAllergies')} />
          )}
          <AddButton
            label={t('patients.addAllergy')}
            onClick={() => allergies.append({ substance: '', severity: '' as 'mild', note: '' })}
          />
        </Stack>
      </Fieldset>
      <Fieldset legend={t('patients.alerts')}>
        <Stack gap="sm">
          {alerts.fields.map(({ id }, index) => (
            <Group key={id} gap="sm" align="flex-start">
              <Field {...common} name={`alerts.${index}.text`} label={t('patients.alert')} required flex={1} />
              <Button mt={24} variant="default" onClick={() => alerts.remove(index)}>
                {t('patients.remove')}
              </Button>
            </Group>
          ))}
          <AddButton label={t('patients.addAlert')} onClick={() => alerts.append({ text: '' })} />
        </Stack>
      </Fieldset>
    </Stack>
  );
}
