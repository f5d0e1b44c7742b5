/** A day as a field of a form. */
import { Controller, type FieldValues, type Path } from 'react-hook-form';
import { DayInput, type DayInputProps } from './day-input.tsx';
import { problemOf, type RecordForm } from './record-form.tsx';

interface FieldProps<Values extends FieldValues> extends Omit<DayInputProps, 'value' | 'onChange' | 'name' | 'form'> {
  readonly of: RecordForm<Values>;
  readonly name: Path<Values>;
}

export function DayField<Values extends FieldValues>({ of, name, ...input }: FieldProps<Values>) {
  return (
    <Controller
      control={of.form.control}
      name={name}
      render={({ field, fieldState }) => (
        <DayInput
          {...input}
          ref={field.ref}
          name={field.name}
          value={field.value ?? ''}
          onChange={field.onChange}
          onBlur={field.onBlur}
          error={problemOf(fieldState.error?.message)}
        />
      )}
    />
  );
}
