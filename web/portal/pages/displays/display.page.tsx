/** One display: how it runs, what it shows, and the end of its pairing. */
import { Box, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { ReadableForm } from '../../../kit/forms/readable-form.tsx';
import { Field } from '../../../kit/forms/record-form.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { ask } from '../../../kit/ui/ask.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { Facts } from '../../../kit/ui/facts.tsx';
import { useClinics } from '../clinics/clinics.queries.ts';
import { Clinics, type DisplayFields, displayFields, Voices } from './display.form.tsx';
import { StateBadge, Version } from './displays.page.tsx';
import { type Display, displayKeys, displayQuery, useDisplayState } from './displays.queries.ts';

const route = getRouteApi('/displays/$id');

/** How often a display reports. */
const REPORT_MS = 60_000;
/** How long a display that is identified shows its name. */
const NAMED_MS = 30_000;

export function DisplayPage() {
  const { id } = route.useParams();
  // A report without news is no change.
  const found = useQuery({ ...displayQuery(id), refetchInterval: REPORT_MS });
  useChanges('/api/auth/displays/changes', displayKeys.all);
  if (found.data) return <Record key={id} display={found.data} />;
  return found.isError ? (
    <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <Skeleton height={160} animate={false} aria-busy />
  );
}

function Record({ display }: { readonly display: Display }) {
  const { t } = useTranslation();
  const may = useMay();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const zone = usePerson().hospital?.timezone;
  const stateOf = useDisplayState();
  const { error, run } = useRun();
  const [isNamed, showNamed] = useForAWhile(NAMED_MS);
  const { id, name, voices, lastSeenAt, boardAt, reportedBuild, sound } = display;
  const path = { id };
  const shown = useClinics().flatMap((clinic) => (display.clinicIds.includes(clinic.id) ? [clinic.name] : []));
  const moment = (at: string | null) => at !== null && <span className="hms-number">{showMoment(at, zone)}</span>;
  const identify = run(async () => {
    await dataOf(api.POST('/api/auth/displays/{id}/identify', { params: { path } }));
    showNamed();
  });
  const unpair = run(async () => {
    if (!(await ask(t('displays.confirm', { name }), t('displays.unpair')))) return;
    await dataOf(api.DELETE('/api/auth/displays/{id}', { params: { path } }));
    await navigate({ to: '/displays', search: {} });
    void queries.invalidateQueries({ queryKey: [displayKeys.all] });
  });
  return (
    <Stack gap="md" maw="52rem">
      <Stack gap={2}>
        <PageHead title={name}>
          <Can operation="identifyDisplay">
            <Button size="compact-md" variant="default" onClick={identify}>
              {t('displays.identify')}
            </Button>
          </Can>
          <Can operation="deleteDisplay">
            <Button size="compact-md" variant="default" c="bad" onClick={unpair}>
              {t('displays.unpair')}
            </Button>
          </Can>
        </PageHead>
        <Group gap="lg" role="status">
          <StateBadge state={stateOf(display)} />
          <Text size="sm">{isNamed && t('displays.identified')}</Text>
        </Group>
      </Stack>
      <ErrorPanel error={error} />
      <Box className="hms-panel" p="lg">
        <Facts
          facts={[
            { label: t('displays.lastSeenAt'), value: moment(lastSeenAt) },
            { label: t('displays.boardAt'), value: moment(boardAt) },
            { label: t('displays.reportedBuild'), value: <Version build={reportedBuild} /> },
            { label: t('displays.sound'), value: sound && t(`displays.sounds.${sound}`) },
          ]}
        />
      </Box>
      <Stack className="hms-panel" p="lg">
        <ReadableForm
          item={display}
          schema={displayFields}
          label={t('displays.details')}
          mayChange={may('changeDisplay')}
          valuesOf={(item): DisplayFields => ({
            name: item.name,
            clinicIds: [...item.clinicIds],
            voices: [...item.voices],
          })}
          bodyOf={(fields) => fields}
          labelOf={(field) => t(`displays.${field as keyof DisplayFields}`)}
          save={(body) => dataOf(api.PUT('/api/auth/displays/{id}', { params: { path }, body }))}
          read={() => queries.fetchQuery({ ...displayQuery(id), staleTime: 0 })}
          onSaved={(saved) => {
            queries.setQueryData(displayKeys.one(id), saved);
            void queries.invalidateQueries({ queryKey: [displayKeys.all] });
          }}
          fields={(form) => (
            <>
              <Field
                of={form}
                name="name"
                label={t('displays.name')}
                description={t('displays.nameHow')}
                autoComplete="off"
                required
              />
              <Clinics of={form} />
              <Voices of={form} />
            </>
          )}
        >
          <Facts
            facts={[
              { label: t('displays.name'), value: <bdi>{name}</bdi> },
              { label: t('displays.clinicIds'), value: <bdi>{shown.join(', ')}</bdi> },
              {
                label: t('displays.voices'),
                value: voices.map((voice) => t(`displays.voiceNames.${voice}`)).join(', ') || t('displays.onlyChime'),
              },
            ]}
          />
        </ReadableForm>
      </Stack>
    </Stack>
  );
}

/** Something that ends by itself. @returns whether it goes on, and what begins it, once more if it does. */
function useForAWhile(ms: number): readonly [boolean, () => void] {
  const [since, setSince] = useState<number>();
  useEffect(() => {
    if (since === undefined) return undefined;
    const timer = setTimeout(() => setSince(undefined), ms);
    return () => clearTimeout(timer);
  }, [since, ms]);
  return [since !== undefined, () => setSince(Date.now())];
}
