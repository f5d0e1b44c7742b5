/** An amount that is typed in the currency of the hospital. The form has it in the smallest unit. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { Controller, type FieldValues, type Path } from 'react-hook-form';
import { problemOf, type RecordForm } from '../forms/record-form.tsx';
import { useTyped } from '../forms/typed.ts';
import { useMoney } from './money.tsx';

interface InputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** Whole units, empty, or what was typed and is no amount. */
  readonly value: string;
  onChange(value: string): void;
}

export function MoneyInput({ value, onChange, ...input }: InputProps) {
  const money = useMoney();
  const { text, onText, leave } = useTyped({
    value,
    show: (kept) => (/^-?\d{1,15}$/.test(kept) ? money.write(Number(kept)) : kept),
    read: (typed) => money.read(typed)?.toString(),
    onChange,
  });
  return (
    <TextInput
      {...input}
      inputMode="decimal"
      dir="ltr"
      autoComplete="off"
      value={text}
      onFocus={(event) => event.currentTarget.select()}
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

export function MoneyField<Values extends FieldValues>({ of, name, ...input }: FieldProps<Values>) {
  return (
    <Controller
      control={of.form.control}
      name={name}
      render={({ field, fieldState }) => (
        <MoneyInput
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
