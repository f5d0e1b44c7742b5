/** The television displays of the hospital. */
import { Anchor, Badge, Button, Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ListPage } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { start } from '../../../kit/start.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { clinicsQuery } from '../clinics/clinics.queries.ts';
import { type DisplayState, displayKeys, readDisplays, useDisplayState } from './displays.queries.ts';

const route = getRouteApi('/displays');

export function DisplaysPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const clinics = useQuery(clinicsQuery()).data ?? [];
  const stateOf = useDisplayState();
  const zone = usePerson().hospital?.timezone;
  useChanges('/api/auth/displays/changes', displayKeys.all);
  return (
    <ListPage
      title={t('menu.displays')}
      search={search}
      onSearch={(changes) => void navigate({ search: (now) => ({ ...now, ...changes }), replace: 'q' in changes })}
      queryKey={displayKeys.list(search)}
      read={(signal) => readDisplays(search, signal)}
      rowKey={({ id }) => id}
      searchLabel={t('displays.search')}
      empty={t('displays.empty')}
      action={
        <Can operation="createDisplay">
          <Button
            leftSection={<IconPlus size={18} aria-hidden />}
            renderRoot={(props) => <Link to="/displays/new" {...props} />}
          >
            {t('displays.new')}
          </Button>
        </Can>
      }
      columns={[
        {
          key: 'name',
          title: t('displays.name'),
          sortable: true,
          render: ({ id, name }) => (
            <Anchor renderRoot={(props) => <Link to="/displays/$id" params={{ id }} {...props} />} fw={500} size="sm">
              <bdi>{name}</bdi>
            </Anchor>
          ),
        },
        {
          key: 'clinicIds',
          title: t('displays.clinicIds'),
          render: ({ clinicIds }) => (
            <bdi>
              {clinics
                .filter(({ id }) => clinicIds.includes(id))
                .map(({ name }) => name)
                .join(', ') || '–'}
            </bdi>
          ),
        },
        { key: 'state', title: t('displays.state'), render: (display) => <StateBadge state={stateOf(display)} /> },
        {
          key: 'lastSeenAt',
          title: t('displays.lastSeenAt'),
          render: ({ lastSeenAt }) => (
            <span className="hms-number">{lastSeenAt === null ? '–' : showMoment(lastSeenAt, zone)}</span>
          ),
        },
        {
          key: 'reportedBuild',
          title: t('displays.reportedBuild'),
          render: ({ reportedBuild }) => <Version build={reportedBuild} />,
        },
        {
          key: 'sound',
          title: t('displays.sound'),
          render: ({ sound }) => (sound === null ? '–' : t(`displays.sounds.${sound}`)),
        },
      ]}
    />
  );
}

/** Dark enough on the page's own background. */
const COLORS = { settingUp: 'info', on: 'good', off: 'warning', never: 'quiet' };

export function StateBadge({ state }: { readonly state: DisplayState }) {
  const { t } = useTranslation();
  return (
    <Badge color={COLORS[state]} variant="outline" tt="none">
      {t(`displays.states.${state}`)}
    </Badge>
  );
}

/** As much of a version as people compare. */
const SHORT = 8;

/** The version of a display's pages. Those of another release than this page are older: a display loads new ones by itself. */
export function Version({ build }: { readonly build: string | null }) {
  const { t } = useTranslation();
  if (build === null) return '–';
  return (
    <Group gap="xs">
      <span className="hms-number" dir="ltr">
        {build.slice(0, SHORT)}
      </span>
      {build !== start.build && (
        <Badge color={COLORS.off} variant="outline" tt="none">
          {t('displays.older')}
        </Badge>
      )}
    </Group>
  );
}
