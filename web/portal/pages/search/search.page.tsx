/** One search over everything that people look for by a name or a number. */

import { Anchor, Button, Stack, Text } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { keepPreviousData, type UseQueryResult, useQueries } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, envelopeOf } from '../../../kit/api/api.ts';
import { listedName } from '../../../kit/i18n/i18n.ts';
import { DataTable, useOnlyRow } from '../../../kit/lists/data-table.tsx';
import { PageHead, SearchField } from '../../../kit/lists/list-page.tsx';
import { Phone } from '../../../kit/phones/phone.tsx';
import { Can, type Operation, useMay } from '../../../kit/roles/can.tsx';
import { showDay } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { listedNameOf } from '../patients/identity.ts';
import { searchText } from '../patients/patients.queries.ts';

const route = getRouteApi('/search');

interface Hit {
  readonly id: string;
  readonly name: string;
  /** What tells it from others. */
  readonly more: ReactNode;
}

interface Found {
  readonly hits: readonly Hit[];
  readonly total: number;
}

interface Kind {
  readonly to: '/patients' | '/employees' | '/laboratory' | '/prescriptions' | '/invoices';
  readonly word: 'patients' | 'employees' | 'laboratory' | 'prescriptions' | 'invoices';
  readonly operation: Operation;
  read(q: string, signal: AbortSignal): Promise<Found>;
}

const FEW = 5;

const KINDS: readonly Kind[] = [
  {
    to: '/patients',
    word: 'patients',
    operation: 'listPatients',
    async read(q, signal) {
      const query = { q: searchText(q) ?? q, limit: FEW };
      const { data, meta } = await envelopeOf(api.GET('/api/hms/patients', { params: { query }, signal }));
      return {
        total: meta.total,
        hits: data.map(({ id, patientCode, dateOfBirth, phone, ...named }) => ({
          ...{ id, name: listedNameOf({ patientCode, ...named }) },
          more: (
            <>
              {[patientCode, ...(dateOfBirth === null ? [] : [showDay(dateOfBirth)])].join(' · ')} ·{' '}
              <Phone kept={phone} />
            </>
          ),
        })),
      };
    },
  },
  {
    to: '/laboratory',
    word: 'laboratory',
    operation: 'listLabOrders',
    async read(q, signal) {
      const { data, meta } = await envelopeOf(
        api.GET('/api/hms/lab-orders', { params: { query: { q, limit: FEW } }, signal }),
      );
      return {
        total: meta.total,
        hits: data.map(({ id, orderNo, patient }) => ({
          ...{ id, name: orderNo },
          more: listedNameOf(patient),
        })),
      };
    },
  },
  {
    to: '/prescriptions',
    word: 'prescriptions',
    operation: 'listPrescriptions',
    async read(q, signal) {
      const { data, meta } = await envelopeOf(
        api.GET('/api/hms/prescriptions', { params: { query: { q, limit: FEW } }, signal }),
      );
      return {
        total: meta.total,
        hits: data.map(({ id, rxNo, patientName }) => ({ id, name: rxNo, more: patientName })),
      };
    },
  },
  {
    to: '/invoices',
    word: 'invoices',
    operation: 'listInvoices',
    async read(q, signal) {
      const { data, meta } = await envelopeOf(
        api.GET('/api/payment/invoices', { params: { query: { q, limit: FEW } }, signal }),
      );
      return {
        total: meta.total,
        hits: data.flatMap(({ id, invoiceNo, patientName }) =>
          invoiceNo === null ? [] : [{ id, name: invoiceNo, more: patientName }],
        ),
      };
    },
  },
  {
    to: '/employees',
    word: 'employees',
    operation: 'listEmployees',
    async read(q, signal) {
      const { data, meta } = await envelopeOf(
        api.GET('/api/hms/employees', { params: { query: { q, limit: FEW } }, signal }),
      );
      return {
        total: meta.total,
        hits: data.map(({ id, firstName, lastName, employeeCode, title }) => ({
          ...{ id, name: listedName(lastName, firstName) },
          more: [employeeCode, title].filter(Boolean).join(' · '),
        })),
      };
    },
  },
];

export function SearchPage() {
  const { t } = useTranslation();
  const may = useMay();
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [entered, setEntered] = useState<string>();
  const kinds = KINDS.filter(({ operation }) => may(operation));
  const searches = useQueries({
    queries: kinds.map(({ word, read }) => ({
      queryKey: [word, 'search', q],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => read(q, signal),
      enabled: q !== '',
      placeholderData: keepPreviousData,
    })),
  });
  useOnlyRow(
    entered === q && searches.every(({ isFetching }) => !isFetching),
    searches.flatMap(({ data }) => data?.hits ?? []).length,
    () => setEntered(undefined),
  );
  const isNothing =
    q !== '' && searches.every(({ data, isPlaceholderData }) => data?.total === 0 && !isPlaceholderData);
  return (
    <Stack gap="md">
      <PageHead title={t('menu.search')}>
        <Can operation="createPatient">
          <Button
            variant="default"
            leftSection={<IconUserPlus size={18} aria-hidden />}
            renderRoot={(props) => <Link to="/patients/new" {...props} />}
          >
            {t('patients.new')}
          </Button>
        </Can>
      </PageHead>
      <SearchField
        label={t('search.field')}
        text={q}
        isBusy={searches.some(({ isFetching }) => isFetching)}
        autoFocus
        onEntered={setEntered}
        onText={(text) => void navigate({ search: { q: text || undefined }, replace: true })}
      />
      <Text size="sm" c="dimmed" role="status">
        {q === '' ? t('search.hint') : isNothing ? t('list.nothingFor', { text: q }) : ''}
      </Text>
      {q !== '' && kinds.map((kind, index) => <Hits key={kind.to} {...kind} q={q} found={searches[index]} />)}
    </Stack>
  );
}

interface HitsProps extends Pick<Kind, 'to' | 'word'> {
  readonly q: string;
  readonly found: UseQueryResult<Found> | undefined;
}

function Hits({ to, word, q, found }: HitsProps) {
  const { t } = useTranslation();
  const { hits = [], total = 0 } = found?.data ?? {};
  if (found?.isError) return <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />;
  if (hits.length === 0) return null;
  const title = t(`menu.${word}`);
  return (
    <Stack gap={4} component="section" aria-label={title}>
      <Text fw={600}>{title}</Text>
      <div className="hms-panel">
        <DataTable
          label={title}
          rows={hits}
          rowKey={({ id }) => id}
          columns={[
            {
              key: 'name',
              title: t('search.name'),
              render: ({ id, name }) => (
                <Anchor
                  renderRoot={(props) => <Link to={`${to}/$id` as '/patients/$id'} params={{ id }} {...props} />}
                  fw={500}
                  size="sm"
                >
                  <bdi>{name}</bdi>
                </Anchor>
              ),
            },
            { key: 'more', title: t('search.more'), render: ({ more }) => <bdi>{more}</bdi> },
          ]}
        />
      </div>
      {total > hits.length && (
        <Anchor renderRoot={(props) => <Link to={to} search={{ q }} {...props} />} size="sm">
          {t('search.all', { text: q })}
        </Anchor>
      )}
    </Stack>
  );
}
