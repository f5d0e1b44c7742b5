/** A record that opens to be read. A button leads to its form, and the form back to it. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { type ReactNode, Suspense, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { soon } from '../ui/soon.tsx';
import type { EditFormProps, EditForm as Form } from './edit-form.tsx';

/** Who reads does not need it. */
const EditForm = soon(async () => (await import('./edit-form.tsx')).EditForm) as unknown as typeof Form;

interface Props<Item extends { readonly version: number }, Values extends FieldValues, Body extends object>
  extends Omit<EditFormProps<Item, Values, Body>, 'onCancel'> {
  /** Without the right to change it, the record is only shown. */
  readonly mayChange: boolean;
  /** What is read. */
  readonly children: ReactNode;
}

export function ReadableForm<
  Item extends { readonly version: number },
  Values extends FieldValues,
  Body extends object,
>({ children, mayChange, ...form }: Props<Item, Values, Body>) {
  const { t } = useTranslation();
  const [mode, setMode] = useState<'opened' | 'edit' | 'cancelled' | 'saved'>('opened');
  if (mode === 'edit' && mayChange) {
    return (
      <Suspense>
        <EditForm
          {...form}
          onCancel={() => setMode('cancelled')}
          onSaved={(saved) => {
            form.onSaved(saved);
            setMode('saved');
          }}
        />
      </Suspense>
    );
  }
  return (
    <Stack gap="md">
      {mode === 'edit' && (
        <Text role="status" size="sm" fw={500}>
          {t('form.notAnyMore')}
        </Text>
      )}
      {mayChange && (
        <Group justify="space-between">
          <Text role="status" size="sm" fw={500} c="good">
            {mode === 'saved' ? t('form.saved') : ''}
          </Text>
          <Button
            variant="default"
            leftSection={<IconPencil size={16} aria-hidden />}
            // Who comes from the form goes on where they have begun.
            autoFocus={mode !== 'opened'}
            onClick={() => setMode('edit')}
          >
            {t('form.edit')}
          </Button>
        </Group>
      )}
      {children}
    </Stack>
  );
}
