/** One hospital: how it is now, what the operator reports, its settings, its people, and its end. */
import { Alert, Anchor, Button, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useMay } from '../../../kit/roles/can.tsx';
import { showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { Facts } from '../../../kit/ui/facts.tsx';
import { soon } from '../../../kit/ui/soon.tsx';
import { ClusterNotice } from './cluster-notice.tsx';
import { Conditions } from './conditions.tsx';
import { Danger } from './danger.tsx';
import { Events } from './events.tsx';
import { type HospitalEvent, hospitalQuery, type ManagedHospital } from './hospitals.queries.ts';
import { Look } from './look.tsx';
import { Manifest } from './manifest.tsx';
import { People } from './people.tsx';
import { StatusBadge } from './status.tsx';
import { useHospitalStream } from './use-hospital-stream.ts';

const Settings = soon(async () => (await import('./settings.tsx')).Settings);
const Usage = soon(async () => (await import('./usage.tsx')).Usage);

const LIST: string = '/hospitals';
const TABS = ['now', 'usage', 'settings', 'look', 'people', 'manifest', 'danger'] as const;

export function HospitalPage() {
  const { t } = useTranslation();
  const { id: prefix = '' } = useParams({ strict: false });
  const found = useQuery(hospitalQuery(prefix));
  const { events, isGone } = useHospitalStream(prefix);
  if (isGone) return <Gone prefix={prefix} />;
  if (found.data) return <Hospital key={prefix} hospital={found.data} events={events} />;
  return (
    <Stack gap="md">
      <PageHead title={t('menu.hospitals')} />
      <ClusterNotice />
      {found.isError ? (
        <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <Skeleton height={320} animate={false} aria-busy />
      )}
    </Stack>
  );
}

interface Props {
  readonly hospital: ManagedHospital;
  readonly events: readonly HospitalEvent[];
}

function Hospital({ hospital, events }: Props) {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = useNavigate();
  const { tab = 'now' }: { readonly tab?: string } = useSearch({ strict: false });
  const mayChange = may('changeHospital');
  const shown = TABS.filter((name) => mayChange || !['look', 'danger'].includes(name));
  return (
    <Stack gap="md" maw="64rem">
      <PageHead title={hospital.name}>
        <StatusBadge status={hospital.status} />
      </PageHead>
      <ClusterNotice />
      <Facts
        facts={[
          { label: t('hospitals.prefix'), value: <bdi dir="ltr">{hospital.prefix}</bdi> },
          { label: t('hospitals.id'), value: hospital.id && <bdi dir="ltr">{hospital.id}</bdi> },
          {
            label: t('hospitals.address'),
            value: hospital.portal && (
              <Anchor href={hospital.portal} target="_blank" rel="noopener" dir="ltr">
                {hospital.portal}
              </Anchor>
            ),
          },
          { label: t('hospitals.created'), value: showMoment(hospital.createdAt, undefined) },
          {
            label: t('hospitals.verified'),
            value: hospital.lastVerifiedAt && showMoment(hospital.lastVerifiedAt, undefined),
          },
          { label: t('hospitals.schema'), value: hospital.schemaVersion },
        ]}
      />
      {hospital.isPaused && (
        <Alert color="warning" variant="outline">
          {t('hospitals.paused')}
        </Alert>
      )}
      <Tabs
        value={shown.find((name) => name === tab) ?? 'now'}
        onChange={(next) => void navigate({ to: '.', search: { tab: next ?? undefined } as never, replace: true })}
        keepMounted={false}
      >
        <Tabs.List>
          {shown.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`hospitals.tabs.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="now" pt="md">
          <Stack gap="md">
            <Conditions hospital={hospital} />
            <Events events={events} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="usage" pt="md">
          <Usage prefix={hospital.prefix} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" pt="md">
          <Settings hospital={hospital} />
        </Tabs.Panel>
        <Tabs.Panel value="look" pt="md">
          <Look hospital={hospital} />
        </Tabs.Panel>
        <Tabs.Panel value="people" pt="md">
          <People hospital={hospital} />
        </Tabs.Panel>
        <Tabs.Panel value="manifest" pt="md">
          <Stack className="hms-panel" p="lg">
            <Text size="sm">{t('hospitals.manifestHow')}</Text>
            {hospital.managers.length > 0 && (
              <Text size="sm" fw={500}>
                {t('hospitals.managed', { names: hospital.managers.join(', ') })}
              </Text>
            )}
            <Manifest text={hospital.manifest} name={hospital.prefix} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="danger" pt="md">
          <Danger hospital={hospital} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Gone({ prefix }: { readonly prefix: string }) {
  const { t } = useTranslation();
  return (
    <Stack gap="md" align="flex-start">
      <PageHead title={t('hospitals.gone')} />
      <Text role="status">{t('hospitals.goneHow', { prefix })}</Text>
      <Button renderRoot={(props) => <Link to={LIST} {...props} />}>{t('hospitals.toList')}</Button>
    </Stack>
  );
}
