/** The tests of a panel, in its form. */
import { CloseButton, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemOf } from '../../../kit/forms/record-form.tsx';
import type { InputProps } from '../../../kit/records/fields.tsx';
import { CataloguePicker } from '../laboratory/catalogue-picker.tsx';
import { testsOfPanelQuery } from './lab-tests.queries.ts';
import { idsIn } from './panel-ids.ts';

/** Tests in their order. In the form, their ids are one text. */
export function PanelTests({ of: { form }, label, isReadOnly }: InputProps) {
  const { t } = useTranslation();
  const { id } = useParams({ strict: false });
  const saved = useQuery(testsOfPanelQuery(id)).data ?? [];
  const [added, setAdded] = useState<readonly { readonly id: string; readonly name: string; readonly code: string }[]>(
    [],
  );
  const ids = idsIn(String(form.watch('testIds') ?? ''));
  const known = new Map([...saved, ...added].map((one) => [one.id, one]));
  const message = form.formState.errors.testIds?.message;
  const choose = (next: readonly string[]) =>
    form.setValue('testIds', next.join(','), { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  return (
    <Stack gap="xs" style={{ gridColumn: '1 / -1' }}>
      {isReadOnly ? (
        <Text size="sm" fw={500}>
          {label}
        </Text>
      ) : (
        <CataloguePicker
          label={label}
          chosen={ids}
          error={problemOf(typeof message === 'string' ? message : undefined)}
          onAdd={(one) => {
            setAdded((before) => [...before, one]);
            choose([...new Set([...idsIn(String(form.getValues('testIds'))), one.id])]);
          }}
        />
      )}
      <Stack gap={4} component="ol" m={0} p={0} aria-label={label}>
        {ids.map((one) => (
          <Group key={one} component="li" gap="xs" wrap="nowrap" style={{ listStyle: 'none' }}>
            {!isReadOnly && (
              <CloseButton
                size="sm"
                aria-label={t('laboratory.removeOne', { test: known.get(one)?.name ?? '' })}
                onClick={() => choose(ids.filter((other) => other !== one))}
              />
            )}
            <Text size="sm">
              <bdi>{known.get(one)?.name ?? '…'}</bdi>
            </Text>
            <Text size="xs" c="dimmed">
              {known.get(one)?.code}
            </Text>
          </Group>
        ))}
      </Stack>
    </Stack>
  );
}
