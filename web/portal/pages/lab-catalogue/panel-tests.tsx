/** The tests of a panel, in its form and in its record. */
import { CloseButton, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemOf } from '../../../kit/forms/record-form.tsx';
import type { InputProps } from '../../../kit/records/fields.tsx';
import { CataloguePicker } from '../laboratory/catalogue-picker.tsx';
import { testsOfPanelQuery } from './lab-tests.queries.ts';
import { idsIn } from './panel-ids.ts';

interface Test {
  readonly id: string;
  readonly name: string;
  readonly code: string;
}

/** Tests in their order. In the form, their ids are one text. */
export function PanelTests({ of: { form }, label }: InputProps) {
  const { t } = useTranslation();
  const { id } = useParams({ strict: false });
  const saved = useQuery(testsOfPanelQuery(id)).data ?? [];
  const [added, setAdded] = useState<readonly Test[]>([]);
  const ids = idsIn(String(form.watch('testIds') ?? ''));
  const message = form.formState.errors.testIds?.message;
  const choose = (next: readonly string[]) =>
    form.setValue('testIds', next.join(','), { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  return (
    <Stack gap="xs" style={{ gridColumn: '1 / -1' }}>
      <CataloguePicker
        label={label}
        chosen={ids}
        error={problemOf(typeof message === 'string' ? message : undefined)}
        onAdd={(one) => {
          setAdded((before) => [...before, one]);
          choose([...new Set([...idsIn(String(form.getValues('testIds'))), one.id])]);
        }}
      />
      <Tests
        ids={ids}
        known={[...saved, ...added]}
        before={({ id: removed, name }) => (
          <CloseButton
            size="sm"
            aria-label={t('laboratory.removeOne', { test: name })}
            onClick={() => choose(ids.filter((other) => other !== removed))}
          />
        )}
      />
    </Stack>
  );
}

/** The same, to be read. */
export function PanelTestNames({ ids }: { readonly ids: readonly string[] }) {
  const { id } = useParams({ strict: false });
  return <Tests ids={ids} known={useQuery(testsOfPanelQuery(id)).data ?? []} />;
}

interface Props {
  readonly ids: readonly string[];
  readonly known: readonly Test[];
  before?(test: Test): ReactNode;
}

function Tests({ ids, known, before }: Props) {
  const tests = new Map(known.map((one) => [one.id, one]));
  return (
    <Stack gap={4} component="ol" m={0} p={0}>
      {ids.map((id) => {
        const test = tests.get(id) ?? { id, name: '…', code: '' };
        return (
          <Group key={id} component="li" gap="xs" wrap="nowrap" style={{ listStyle: 'none' }}>
            {before?.(test)}
            <Text size="sm">
              <bdi>{test.name}</bdi>
            </Text>
            <Text size="xs" c="dimmed">
              {test.code}
            </Text>
          </Group>
        );
      })}
    </Stack>
  );
}
