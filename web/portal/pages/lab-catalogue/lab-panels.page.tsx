/** Sets of tests that are ordered together. */
import { CloseButton, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import type { Catalogue } from '../../../kit/catalogue/catalogue.ts';
import { CatalogueNew, CatalogueRecord } from '../../../kit/catalogue/catalogue-form.tsx';
import { CatalogueList } from '../../../kit/catalogue/catalogue-list.tsx';
import { type CatalogueField, text } from '../../../kit/catalogue/fields.tsx';
import { problemOf } from '../../../kit/forms/record-form.tsx';
import { CataloguePicker } from '../laboratory/catalogue-picker.tsx';
import { testsOfPanelQuery } from './lab-tests.queries.ts';

const idsIn = (value: string) => (value === '' ? [] : value.split(','));

/** Tests in their order. In the form, their ids are one text. */
const tests: CatalogueField<'testIds'> = {
  ...text('testIds', 10_000),
  schema: z.string().check(z.minLength(1, 'noTests')) as unknown as CatalogueField['schema'],
  fill: (shown) => (shown as readonly string[]).join(','),
  send: (value) => idsIn(String(value)),
  cell: (shown) => (shown as readonly string[]).length,
  input: (props) => <PanelTests {...props} />,
};

function PanelTests({ of: { form }, label, isReadOnly }: Parameters<CatalogueField['input']>[0]) {
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

const panels: Catalogue<'labPanels', Schemas['LabPanel'], Schemas['NewLabPanel']> = {
  name: 'labPanels',
  fields: [
    text('name', 100, { required: true, sortable: true }),
    text('code', 20, { required: true, placeholder: 'LIVER' }),
    tests,
  ],
  operations: { create: 'createLabPanel', change: 'changeLabPanel', remove: 'deleteLabPanel' },
  changes: '/api/hms/lab-panels/changes',
  list: (query, signal) => envelopeOf(api.GET('/api/hms/lab-panels', { params: { query }, signal })),
  read: (id, signal) => dataOf(api.GET('/api/hms/lab-panels/{id}', { params: { path: { id } }, signal })),
  create: (body, key) =>
    dataOf(api.POST('/api/hms/lab-panels', { params: { header: { 'Idempotency-Key': key } }, body })),
  change: (id, body) => dataOf(api.PUT('/api/hms/lab-panels/{id}', { params: { path: { id } }, body })),
  remove: (id) => dataOf(api.DELETE('/api/hms/lab-panels/{id}', { params: { path: { id } } })),
};

export const LabPanelsPage = () => <CatalogueList of={panels} />;
export const NewLabPanelPage = () => <CatalogueNew of={panels} />;
export const LabPanelPage = () => <CatalogueRecord of={panels} />;
