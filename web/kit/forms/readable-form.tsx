/** A record that opens to be read. A button leads to its form, and the form back to it. */
import { Button, Stack, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { EditForm, type EditFormProps } from './edit-form.tsx';

interface Props<Item extends { readonly version: number }, Values extends FieldValues, Body extends object>
  extends Omit<EditFormProps<Item, Values, Body>, 'onCancel'> {
  /** What is read. Default: the fields, which can't be changed. */
  readonly children?: ReactNode;
}

export function ReadableForm<
  Item extends { readonly version: number },
  Values extends FieldValues,
  Body extends object,
>({ children, ...form }: Props<Item, Values, Body>) {
  const { t } = useTranslation();
  const [mode, setMode] = useState<'opened' | 'edit' | 'cancelled' | 'saved'>('opened');
  if (mode === 'edit') {
    return (
      <EditForm
        {...form}
        onCancel={() => setMode('cancelled')}
        onSaved={(saved) => {
          form.onSaved(saved);
          setMode('saved');
        }}
      />
    );
  }
  return (
    <Stack gap="md">
      <Text role="status" size="sm" fw={500} c="brand.8">
        {mode === 'saved' ? t('form.saved') : ''}
      </Text>
      {children ?? <EditForm {...form} mayChange={false} />}
      {form.mayChange && (
        <Button
          style={{ alignSelf: 'start' }}
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden />}
          // Who comes from the form goes on where they have begun.
          autoFocus={mode !== 'opened'}
          onClick={() => setMode('edit')}
        >
          {t('form.edit')}
        </Button>
      )}
    </Stack>
  );
}
