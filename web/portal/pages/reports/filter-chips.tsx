/** What of a report is shown only. Each filter can be taken away. */
import { Button, Group, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { NamedFilter } from './named-filters.ts';

interface Props {
  readonly named: readonly NamedFilter[];
  onRemove(group: string): void;
}

export function FilterChips({ named, onRemove }: Props) {
  const { t } = useTranslation();
  if (named.length === 0) return null;
  return (
    <Group gap="xs">
      <Text size="sm" span>
        {t('reports.filters')}
      </Text>
      {/* Paper has no buttons. */}
      <Text size="sm" span className="hms-on-paper">
        {named.map(({ title, name }) => t('reports.filter', { title, name })).join(' · ')}
      </Text>
      {named.map(({ group, title, name }) => (
        <Button
          key={group}
          variant="light"
          size="compact-sm"
          rightSection={<IconX size={14} aria-hidden />}
          aria-label={t('reports.withoutFilter', { title, name })}
          onClick={() => onRemove(group)}
        >
          {t('reports.filter', { title, name })}
        </Button>
      ))}
    </Group>
  );
}
