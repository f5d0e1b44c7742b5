/** The desk: scan a pass, see who is inside, let people in and out. */
import { Alert, Anchor, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { ReasonForm } from '../../../kit/forms/reason-form.tsx';
import { ScanField } from '../../../kit/forms/scan-field.tsx';
import { type Column, DataTable } from '../../../kit/lists/data-table.tsx';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { PrintButton } from './print-button.tsx';
import { Refusal } from './refusal.tsx';
import { expectedQuery, insideQuery, printInside, type Visitor, visitorKeys } from './visitors.queries.ts';

// The desk itself is there before the form of a new pass.
const PassForm = lazy(async () => ({ default: (await import('./pass.form.tsx')).PassForm }));

type Step = 'check-in' | 'check-out';
/** What happened last, so that the desk sees it from afar. */
type News = { readonly step: 'in' | 'out' | 'none' | 'issued'; readonly visitor: Visitor };

interface Props {
  /** What was typed into the field for scans, and is no code of a pass. */
  onSearch(text: string): void;
}

export function Desk({ onSearch }: Props) {
  const { t } = useTranslation();
  const may = useMay();
  const queries = useQueryClient();
  const inside = useQuery(insideQuery());
  const expected = useQuery(expectedQuery());
  const [news, setNews] = useState<News>();
  const [refused, setRefused] = useState<unknown>();
  const [isNew, setNew] = useState(false);
  const [denied, setDenied] = useState<Visitor>();
  // After each step by hand, the field for scans has the focus again.
  const [turn, setTurn] = useState(0);
  const zone = usePerson().hospital?.timezone;
  const refresh = () => queries.invalidateQueries({ queryKey: [visitorKeys.all] });
  const tell = (next: News) => {
    setNews(next);
    setRefused(undefined);
    void refresh();
  };
  const attempt = async (step: () => Promise<News>) => {
    try {
      tell(await step());
    } catch (error) {
      setNews(undefined);
      setRefused(error);
    }
  };
  const scan = async (text: string) => {
    if (!/^v[0-9a-z]{9}$/i.test(text)) {
      onSearch(text);
      return undefined;
    }
    await attempt(async () => {
      const visitor = await dataOf(api.POST('/api/crm/visitors/scan', { body: { code: text } }));
      return { visitor, step: ({ 'check-in': 'in', 'check-out': 'out', none: 'none' } as const)[visitor.step] };
    });
    return undefined;
  };
  const take = (step: Step, { id, version }: Visitor) =>
    void attempt(async () => {
      const sent = { params: { path: { id } }, body: { version } };
      const visitor = await dataOf(api.POST(`/api/crm/visitors/{id}/${step}`, sent));
      return { visitor, step: step === 'check-in' ? 'in' : 'out' };
    }).then(() => setTurn((now) => now + 1));
  const mayWrite = may('scanVisitorPass');
  const columns: readonly Column<Visitor>[] = [
    {
      key: 'name',
      title: t('visitors.name'),
      render: ({ name, relation, passNo }) => (
        <div>
          <bdi>
            <strong>{name}</strong>
          </bdi>{' '}
          <span className="hms-number">{passNo}</span>
          {relation !== null && (
            <Text size="xs" c="dimmed">
              <bdi>{relation}</bdi>
            </Text>
          )}
        </div>
      ),
    },
    {
      key: 'patient',
      title: t('visitors.patient'),
      render: ({ patientId, patientName, place }) => (
        <div>
          <Anchor size="sm" renderRoot={(props) => <Link to="/patients/$id" params={{ id: patientId }} {...props} />}>
            <bdi>{patientName}</bdi>
          </Anchor>
          {place !== null && (
            <Text size="xs" c="dimmed">
              <bdi>{place}</bdi>
            </Text>
          )}
        </div>
      ),
    },
  ];
  const actions = (step: Step): readonly Column<Visitor>[] =>
    mayWrite
      ? [
          {
            key: 'actions',
            title: t('list.actions'),
            render: (visitor) => (
              <Group gap={4}>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t(`visitors.stepOf.${step}`, { name: visitor.name })}
                  onClick={() => take(step, visitor)}
                >
                  {t(`visitors.step.${step}`)}
                </Button>
                <PrintButton visitor={visitor} />
                {step === 'check-in' && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="red"
                    aria-label={t('visitors.denyOf', { name: visitor.name })}
                    onClick={() => setDenied(visitor)}
                  >
                    {t('visitors.deny')}
                  </Button>
                )}
              </Group>
            ),
          },
        ]
      : [];
  return (
    <Stack gap="md">
      {mayWrite && (
        <Group align="flex-end" gap="md">
          {/* The form of a pass takes the focus. */}
          <ScanField key={`${isNew} ${turn}`} label={t('visitors.scan')} onScan={scan} isFirst={!isNew} />
          {!isNew && (
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setNew(true)}>
              {t('visitors.new')}
            </Button>
          )}
        </Group>
      )}
      <div aria-live="assertive">
        {news && (
          <Alert color={news.step === 'out' ? '#1864ab' : '#1d6b2f'} variant="outline">
            <Group gap="md">
              <Text fw={600} size="lg">
                {t(`visitors.news.${news.step}`, { name: news.visitor.name, patient: news.visitor.patientName })}
              </Text>
              {news.step !== 'out' && <PrintButton visitor={news.visitor} />}
            </Group>
          </Alert>
        )}
      </div>
      <Refusal error={refused} />
      {isNew && (
        <Can operation="createVisitor">
          <Suspense fallback={<Skeleton height={120} animate={false} aria-busy />}>
            <PassForm
              onDone={(issued) => {
                setNew(false);
                if (!issued) return;
                tell({ visitor: issued.visitor, step: issued.visitor.status === 'checked_in' ? 'in' : 'issued' });
                setRefused(issued.refusal);
              }}
            />
          </Suspense>
        </Can>
      )}
      {denied && (
        <ReasonForm
          key={denied.id}
          label={t('visitors.whyDeny', { name: denied.name })}
          submitLabel={t('visitors.deny')}
          save={(reason) => {
            const sent = { params: { path: { id: denied.id } }, body: { reason, version: denied.version } };
            return dataOf(api.POST('/api/crm/visitors/{id}/deny', sent));
          }}
          onSaved={() => {
            setDenied(undefined);
            void refresh();
          }}
          onCancel={() => setDenied(undefined)}
        />
      )}
      <People
        title={t('visitors.inside')}
        empty={t('visitors.nobodyInside')}
        of={inside}
        action={
          <Button size="compact-sm" variant="default" onClick={() => void printInside().catch(setRefused)}>
            {t('visitors.printInside')}
          </Button>
        }
        columns={[
          ...columns,
          {
            key: 'since',
            title: t('visitors.since'),
            render: ({ checkedInAt, isExpired }) => (
              <div>
                {checkedInAt !== null && showMoment(checkedInAt, zone)}
                {isExpired && (
                  <Text size="xs" c="red.9" fw={600}>
                    {t('visitors.over')}
                  </Text>
                )}
              </div>
            ),
          },
          ...actions('check-out'),
        ]}
      />
      <People
        title={t('visitors.expected')}
        empty={t('visitors.nobodyExpected')}
        of={expected}
        columns={[
          ...columns,
          { key: 'until', title: t('visitors.validTo'), render: ({ validTo }) => showMoment(validTo, zone) },
          ...actions('check-in'),
        ]}
      />
    </Stack>
  );
}

interface PeopleProps {
  readonly title: string;
  readonly empty: string;
  readonly of: ReturnType<
    typeof useQuery<{ readonly data: readonly Visitor[]; readonly meta: { readonly total: number } }>
  >;
  readonly columns: readonly Column<Visitor>[];
  readonly action?: ReactNode;
}

function People({ title, empty, of, columns, action }: PeopleProps) {
  const heading = of.data ? `${title} (${of.data.meta.total})` : title;
  return (
    <Stack className="hms-panel" gap="xs" pt="md" component="section" aria-label={title}>
      <Group px="md" gap="md" justify="space-between">
        <Title order={2} size="h4">
          {heading}
        </Title>
        {action}
      </Group>
      {of.isError && !of.data ? (
        <Stack p="md">
          <ErrorPanel error={of.error} onRetry={() => void of.refetch()} />
        </Stack>
      ) : !of.data ? (
        <Skeleton height={80} animate={false} aria-busy />
      ) : of.data.data.length === 0 ? (
        <Text px="md" pb="md" c="dimmed">
          {empty}
        </Text>
      ) : (
        <DataTable label={title} rows={of.data.data} rowKey={({ id }) => id} columns={columns} />
      )}
    </Stack>
  );
}
