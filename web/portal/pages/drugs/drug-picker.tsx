/** Finds an active drug by its name, its code or an ingredient. */
import { Group, Text } from '@mantine/core';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { SearchPicker } from '../../../kit/forms/search-picker.tsx';

export type Drug = Schemas['Drug'];

const MOST = 8;

interface Props {
  readonly label: string;
  readonly placeholder: string;
  readonly isFirst?: boolean;
  readonly error?: string | undefined;
  /** Ids that are not offered. */
  readonly without?: readonly string[];
  onPick(drug: Drug): void;
}

export function DrugPicker({ without = [], ...props }: Props) {
  return (
    <SearchPicker<Drug>
      {...props}
      queryKey="drugs"
      read={(q, signal) => {
        const query = { q, status: 'active', limit: MOST } as const;
        return dataOf(api.GET('/api/hms/drugs', { params: { query }, signal }));
      }}
      rowKey={({ id }) => id}
      codeOf={({ code }) => code}
      isOffered={({ id }) => !without.includes(id)}
      render={(drug) => (
        <Group gap="xs" wrap="nowrap">
          <Text size="sm" span fw={500}>
            <bdi>{drugLabel(drug)}</bdi>
          </Text>
          <Text size="xs" span c="dimmed">
            <bdi>{drug.form}</bdi>
          </Text>
          <Text size="xs" span c="dimmed" className="hms-number">
            {drug.code}
          </Text>
        </Group>
      )}
    />
  );
}

/** The name with the strength, unless the name has it. */
export function drugLabel({ name, strength }: { readonly name: string; readonly strength: string | null }): string {
  return strength === null || name.includes(strength) ? name : `${name} ${strength}`;
}
