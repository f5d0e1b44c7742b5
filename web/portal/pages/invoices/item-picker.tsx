/** Finds an item of the price list by its name or its code. */
import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { SearchPicker } from '../../../kit/forms/search-picker.tsx';

type Item = Schemas['PriceItem'];

const MOST = 8;

export function ItemPicker(props: { readonly isFirst?: boolean; onPick(item: Item): void }) {
  const { t } = useTranslation();
  return (
    <SearchPicker<Item>
      {...props}
      label={t('invoices.addItem')}
      placeholder={t('invoices.addItemHow')}
      queryKey="price-items"
      read={(q, signal) => {
        const query = { q, status: 'active', limit: MOST } as const;
        return dataOf(api.GET('/api/payment/price-items', { params: { query }, signal }));
      }}
      rowKey={({ id }) => id}
      codeOf={({ code }) => code}
      render={({ name, code }) => (
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" span fw={500}>
            <bdi>{name}</bdi>
          </Text>
          <Text size="xs" span c="dimmed" className="hms-number">
            {code}
          </Text>
        </Group>
      )}
    />
  );
}
