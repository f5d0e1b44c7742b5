/** What nobody can tell of a patient yet. Its fields stay empty, and are completed later. */
import { Button, Checkbox, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordForm } from '../../../kit/forms/record-form.tsx';
import { type PatientFields, UNKNOWABLE, unknownOf } from './patient.fields.ts';

/** A button, so that whoever knows everything passes one stop of the keyboard. */
export function UnknownFields({ of: { form } }: { readonly of: RecordForm<PatientFields> }) {
  const { t } = useTranslation();
  const unknown = unknownOf(form.watch());
  const [isOpen, setOpen] = useState(unknown.length > 0);
  if (!isOpen) {
    return (
      <Button variant="subtle" size="compact-sm" style={{ alignSelf: 'flex-start' }} onClick={() => setOpen(true)}>
        {t('patients.somethingUnknown')}
      </Button>
    );
  }
  const choose = (next: readonly string[]) => {
    const named = UNKNOWABLE.filter((name) => next.includes(name));
    for (const name of named) form.setValue(name, '', { shouldDirty: true });
    form.setValue('unknown', named, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  };
  return (
    <Checkbox.Group
      label={t('patients.unknown')}
      description={t('patients.unknownHow')}
      value={unknown}
      onChange={choose}
    >
      <Group mt="xs" style={{ gap: '0.5rem 1.5rem' }}>
        {UNKNOWABLE.map((name, index) => (
          <Checkbox key={name} value={name} label={t(`patients.${name}`)} autoFocus={index === 0} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
