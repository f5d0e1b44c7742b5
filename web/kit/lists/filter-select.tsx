/** A filter of a list that is one of some values, or none, and kept in the address. */
import { type ComboboxItem, NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface Props<Value extends string> {
  readonly label: string;
  readonly value: Value | undefined;
  readonly data: readonly (ComboboxItem & { readonly value: Value })[];
  /** @param value undefined for all, so that the address does not have it. */
  onChange(value: Value | undefined): void;
}

export function FilterSelect<Value extends string>({ label, value, data, onChange }: Props<Value>) {
  const { t } = useTranslation();
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      data={[{ value: '', label: t('list.all') }, ...data]}
      onChange={({ currentTarget }) => onChange(data.find((one) => one.value === currentTarget.value)?.value)}
    />
  );
}
