/** A phone number that is typed as in the country of the hospital, or with + and another country. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { Controller, type FieldValues, type Path } from 'react-hook-form';
import { problemOf, type RecordForm } from '../forms/record-form.tsx';
import { useTyped } from '../forms/typed.ts';
import { countryOfHospital } from '../i18n/i18n.ts';
import { usePhones } from './phones.ts';

interface InputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** In international form, empty, or what was typed and is no whole number. */
  readonly value: string;
  onChange(value: string): void;
}

function PhoneInput({ value, onChange, placeholder, ...input }: InputProps) {
  const phones = usePhones();
  const { text, onText, leave } = useTyped({
    value,
    show: phones.show,
    read: phones.read,
    onChange,
  });
  return (
    <TextInput
      {...input}
      type="tel"
      dir="ltr"
      autoComplete="off"
      placeholder={placeholder ?? (countryOfHospital() ? undefined : '+353 86 123 4567')}
      value={text}
      onChange={onText}
      onBlur={(event) => {
        leave();
        input.onBlur?.(event);
      }}
    />
  );
}

interface FieldProps<Values extends FieldValues> extends Omit<InputProps, 'value' | 'onChange' | 'name' | 'form'> {
  readonly of: RecordForm<Values>;
  readonly name: Path<Values>;
}

export function PhoneField<Values extends FieldValues>({ of, name, ...input }: FieldProps<Values>) {
  return (
    <Controller
      control={of.form.control}
      name={name}
      render={({ field, fieldState }) => (
        <PhoneInput
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
