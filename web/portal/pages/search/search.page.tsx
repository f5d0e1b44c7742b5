/** One search over everything that people look for by a name or a number. */

import { Anchor, Button, Stack, Text } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { listedName } from '../../../kit/i18n/i18n.ts';
import { DataTable, useOnlyRow } from '../../../kit/lists/data-table.tsx';
import { PageHead, SearchField } from '../../../kit/lists/list-page.tsx';
import { Phone } from '../../../kit/phones/phone.tsx';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { showDay } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { listedNameOf } from '../patients/identity.ts';
import { searchText } from '../patients/patients.queries.ts';

const route = getRouteApi('/search');

interface Hit {
  readonly id: string;
  /** Whoever enters it means this record, whatever else is found. */
  readonly code: string | null;
  readonly name: string;
  /** What tells it from others. */
  readonly more: ReactNode;
}

interface Found {
  readonly hits: readonly Hit[];
  readonly total: number;
}

/** How hits of a kind are read out of an answer. */
interface Kind<Answer> {
  readonly to: '/patients' | '/employees' | '/laboratory' | '/prescriptions' | '/invoices';
  readonly word: 'patients' | 'employees' | 'laboratory' | 'prescriptions' | 'invoices';
  /** @returns null if it is not for the person. */
  read(answer: Answer): Found | null;
}

const FEW = 5;

/** What the module of patients finds at once. */
const RECORDS: readonly Kind<Schemas['FoundRecords']>[] = [
  {
    to: '/patients',
    word: 'patients',
    read: ({ patients }) =>
      patients && {
        total: patients.total,
        hits: patients.items.map(({ id, patientCode, dateOfBirth, phone, ...named }) => ({
          ...{ id, code: patientCode, name: listedNameOf({ patientCode, ...named }) },
          more: (
            <>
              {[patientCode, ...(dateOfBirth === null ? [] : [showDay(dateOfBirth)])].join(' · ')} ·{' '}
              <Phone kept={phone} />
            </>
          ),
        })),
      },
  },
  {
    to: '/laboratory',
    word: 'laboratory',
    read: ({ labOrders }) =>
      labOrders && {
        total: labOrders.total,
        hits: labOrders.items.map(({ id, orderNo, patient }) => ({
          id,
          code: orderNo,
          name: orderNo,
          more: listedNameOf(patient),
        })),
      },
  },
  {
    to: '/prescriptions',
    word: 'prescriptions',
    read: ({ prescriptions }) =>
      prescriptions && {
        total: prescriptions.total,
        hits: prescriptions.items.map(({ id, rxNo, patientName }) => ({
          id,
          code: rxNo,
          name: rxNo,
          more: patientName,
        })),
      },
  },
  {
    to: '/employees',
    word: 'employees',
    read: ({ employees }) =>
      employees && {
        total: employees.total,
        hits: employees.items.map(({ id, firstName, lastName, employeeCode, title }) => ({
          ...{ id, code: employeeCode, name: listedName(lastName, firstName) },
          more: [employeeCode, title].filter(Boolean).join(' · '),
        })),
      },
  },
];

const INVOICES: Kind<{ readonly data: readonly Schemas['ShownInvoice'][]; readonly meta: { readonly total: number } }> =
  {
    to: '/invoices',
    word: 'invoices',
    read: ({ data, meta }) => ({
      total: meta.total,
      hits: data.flatMap(({ id, invoiceNo, patientName }) =>
        invoiceNo === null ? [] : [{ id, code: invoiceNo, name: invoiceNo, more: patientName }],
      ),
    }),
  };

export function SearchPage() {
  const { t } = useTranslation();
  const may = useMay();
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const [entered, setEntered] = useState<string>();
  // Two requests, whatever the number of kinds: a module each.
  const records = useQuery({
    queryKey: ['search', 'records', q],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/hms/search', { params: { query: { q: searchText(q) ?? q, limit: FEW } }, signal })),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
  const invoices = useQuery({
    queryKey: ['search', 'invoices', q],
    queryFn: ({ signal }) =>
      envelopeOf(api.GET('/api/payment/invoices', { params: { query: { q, limit: FEW } }, signal })),
    enabled: q !== '' && may('listInvoices'),
    placeholderData: keepPreviousData,
  });
  const searches = [records, invoices];
  const kinds = [
    ...RECORDS.map(({ read, ...kind }) => ({ ...kind, found: records.data && read(records.data) })),
    { ...INVOICES, found: invoices.data && INVOICES.read(invoices.data) },
  ];
  const total = kinds.reduce((sum, { found }) => sum + (found?.total ?? 0), 0);
  const isHere = entered === q && records.data !== undefined && searches.every(({ isFetching }) => !isFetching);
  const named = kinds.flatMap(({ to, found }) =>
    (found?.hits ?? []).flatMap(({ id, code }) => (code?.toLowerCase() === q.toLowerCase() ? [{ to, id }] : [])),
  );
  const [exact] = named.length === 1 ? named : [];
  const open = useEffectEvent(({ to, id }: { readonly to: Kind<unknown>['to']; readonly id: string }) => {
    setEntered(undefined);
    void navigate({ to: `${to}/$id` as '/patients/$id', params: { id }, search: {} });
  });
  const target = isHere ? exact : undefined;
  const [targetTo, targetId] = [target?.to, target?.id];
  useEffect(() => {
    if (targetTo !== undefined && targetId !== undefined) open({ to: targetTo, id: targetId });
  }, [targetTo, targetId]);
  useOnlyRow(
    isHere && exact === undefined,
    kinds.reduce((sum, { found }) => sum + (found?.hits.length ?? 0), 0),
    () => setEntered(undefined),
  );
  const isNothing =
    total === 0 &&
    records.isSuccess &&
    searches.every(({ isFetching, isPlaceholderData }) => !isFetching && !isPlaceholderData);
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
      {searches.map(
        ({ error, refetch }, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: always the same two
          error && <ErrorPanel key={index} error={error} onRetry={() => void refetch()} />,
      )}
      {q !== '' && kinds.map((kind) => <Hits key={kind.to} {...kind} q={q} />)}
    </Stack>
  );
}

interface HitsProps extends Pick<Kind<unknown>, 'to' | 'word'> {
  readonly q: string;
  /** Undefined while it is not here. */
  readonly found: Found | null | undefined;
}

function Hits({ to, word, q, found }: HitsProps) {
  const { t } = useTranslation();
  const { hits = [], total = 0 } = found ?? {};
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
