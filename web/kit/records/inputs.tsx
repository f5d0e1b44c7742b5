/** The inputs of a plain record's fields. */
import { Checkbox, SimpleGrid } from '@mantine/core';
import { Choice } from '../forms/choice.tsx';
import { DayField } from '../forms/day-field.tsx';
import { Field, type RecordForm } from '../forms/record-form.tsx';
import { MoneyField } from '../money/money-field.tsx';
import { PhoneField } from '../phones/phone-field.tsx';
import type { InputProps, RecordField, UseChoosable, Values } from './fields.tsx';

interface Props {
  readonly of: RecordForm<Values>;
  readonly fields: readonly RecordField[];
  labelOf(name: string): string;
}

export function Inputs({ of, fields, labelOf }: Props) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      {fields.map((field, index) => {
        const help = field.help === undefined ? undefined : labelOf(field.help);
        const props = { of, label: labelOf(field.name), help, isFirst: index === 0 };
        const Own = field.input;
        return Own ? <Own key={field.name} {...props} /> : <Input key={field.name} field={field} {...props} />;
      })}
    </SimpleGrid>
  );
}

function Input({ field, of, label, help, isFirst }: InputProps & { readonly field: RecordField }) {
  const { name, kind, required, placeholder, useAll } = field;
  const common = { of, name, label, required, description: help, autoFocus: isFirst };
  if (useAll) return <Choices {...{ of, name, label, help, required, useAll }} />;
  switch (kind) {
    case 'day':
      return <DayField {...common} />;
    case 'money':
      return <MoneyField {...common} />;
    case 'phone':
      return <PhoneField {...common} />;
    case 'flag':
      return <Checkbox {...of.form.register(name)} label={label} description={help} style={{ alignSelf: 'end' }} />;
    case 'percent':
      return <Field {...common} inputMode="decimal" autoComplete="off" placeholder="0" rightSection="%" />;
    case 'whole':
      return <Field {...common} inputMode="numeric" autoComplete="off" placeholder={placeholder} />;
    default:
      return <Field {...common} autoComplete="off" placeholder={placeholder} />;
  }
}

interface ChoicesProps extends Omit<InputProps, 'isFirst'> {
  readonly name: string;
  readonly required: boolean;
  readonly useAll: UseChoosable;
}

function Choices({ of, name, useAll, help, ...input }: ChoicesProps) {
  const chosen = of.form.watch(name);
  const offered = useAll().filter(({ id, status }) => status !== 'inactive' || id === chosen);
  return (
    <Choice
      {...{ of, name, ...input }}
      description={help}
      data={offered.map((one) => ({ value: one.id, label: one.name }))}
    />
  );
}
