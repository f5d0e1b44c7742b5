import { type ComboboxItem, NativeSelect, type NativeSelectProps } from '@mantine/core';
import type { FieldValues, Path } from 'react-hook-form';
import { problemOf, type RecordForm } from './record-form.tsx';

interface ChoiceProps<Values extends FieldValues> extends Omit<NativeSelectProps, 'form' | 'name' | 'data'> {
  readonly of: RecordForm<Values>;
  readonly name: Path<Values>;
  readonly data: readonly ComboboxItem[];
  /** What none of them means. Default: a dash. */
  readonly emptyLabel?: string;
  readonly readOnly?: boolean;
}

/** A field with one of some values, or none of them. */
export function Choice<Values extends FieldValues>({
  of,
  name,
  data,
  emptyLabel = '–',
  readOnly,
  ...input
}: ChoiceProps<Values>) {
  const { error } = of.form.getFieldState(name, of.form.formState);
  return (
    <NativeSelect
      {...input}
      {...of.form.register(name)}
      disabled={readOnly}
      data={[{ value: '', label: emptyLabel }, ...data]}
      error={problemOf(error?.message)}
    />
  );
}
