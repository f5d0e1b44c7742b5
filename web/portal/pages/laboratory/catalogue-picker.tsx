/** Finds tests and panels by their name or code. */
import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { SearchPicker } from '../../../kit/forms/search-picker.tsx';

/** What can be added. */
export interface Pickable {
  readonly kind: 'test' | 'panel';
  readonly id: string;
  readonly code: string;
  readonly name: string;
}

interface Props {
  readonly label: string;
  /** Whether panels are offered too. */
  readonly withPanels?: boolean;
  /** Those that were added are not offered. */
  readonly chosen: readonly string[];
  readonly isFirst?: boolean;
  readonly error?: string | undefined;
  onAdd(one: Pickable): void;
}

const MOST = 8;

async function readPickables(text: string, withPanels: boolean, signal: AbortSignal): Promise<readonly Pickable[]> {
  // One letter is a code, such as K. Without any text, what this doctor orders most is offered, and panels.
  const search = text.length > 1 ? { q: text } : { code: text.toUpperCase() };
  const query = { limit: MOST, ...(text === '' ? {} : search) };
  const [favourites, panels, tests] = await Promise.all([
    withPanels && text === '' ? dataOf(api.GET('/api/hms/lab-orders/favourites', { signal })) : [],
    withPanels ? dataOf(api.GET('/api/hms/lab-panels', { params: { query }, signal })) : [],
    withPanels && text === ''
      ? []
      : dataOf(api.GET('/api/hms/lab-tests', { params: { query: { ...query, status: 'active' } }, signal })),
  ]);
  const isOther = ({ id }: { readonly id: string }) => favourites.every((one) => one.id !== id);
  return [
    ...favourites,
    ...panels.filter(isOther).map(({ id, code, name }) => ({ kind: 'panel' as const, id, code, name })),
    ...tests.map(({ id, code, name }) => ({ kind: 'test' as const, id, code, name })),
  ];
}

export function CataloguePicker({ label, withPanels = false, chosen, isFirst = false, error, onAdd }: Props) {
  const { t } = useTranslation();
  return (
    <SearchPicker
      label={label}
      placeholder={t('laboratory.nameOrCode')}
      queryKey={withPanels ? 'lab-tests-and-panels' : 'lab-tests'}
      least={0}
      read={(text, signal) => readPickables(text, withPanels, signal)}
      rowKey={({ id }) => id}
      codeOf={({ code }) => code}
      isOffered={({ id }) => !chosen.includes(id)}
      isFirst={isFirst}
      error={error}
      onPick={onAdd}
      render={({ name, code, kind }) => (
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" span>
            <bdi>{name}</bdi>
          </Text>
          <Text size="xs" span c="dimmed" className="hms-number">
            {code}
          </Text>
          {kind === 'panel' && (
            <Text size="xs" span c="info">
              {t('laboratory.panel')}
            </Text>
          )}
        </Group>
      )}
    />
  );
}
