/** One display: its name and clinics, when it was last seen, and the end of its pairing. */
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { ReadableForm } from '../../../kit/forms/readable-form.tsx';
import { Field } from '../../../kit/forms/record-form.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Can, useMay } from '../../../kit/roles/can.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { ask } from '../../../kit/ui/ask.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { Facts } from '../../../kit/ui/facts.tsx';
import { useClinics } from '../clinics/clinics.queries.ts';
import { Clinics, type DisplayFields, displayFields } from './display.form.tsx';
import { StateBadge } from './displays.page.tsx';
import { type Display, displayKeys, displayQuery, useDisplayState } from './displays.queries.ts';

const route = getRouteApi('/displays/$id');

export function DisplayPage() {
  const { id } = route.useParams();
  const found = useQuery(displayQuery(id));
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
  const [error, setError] = useState<unknown>();
  const { id, name, lastSeenAt } = display;
  const path = { id };
  const shown = useClinics().flatMap((clinic) => (display.clinicIds.includes(clinic.id) ? [clinic.name] : []));
  const unpair = async () => {
    if (!(await ask(t('displays.confirm', { name }), t('displays.unpair')))) return;
    setError(undefined);
    try {
      await dataOf(api.DELETE('/api/auth/displays/{id}', { params: { path } }));
      await navigate({ to: '/displays', search: {} });
      void queries.invalidateQueries({ queryKey: [displayKeys.all] });
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <Stack gap="md" maw="52rem">
      <Stack gap={2}>
        <PageHead title={name}>
          <Can operation="deleteDisplay">
            <Button size="compact-md" variant="default" c="red.9" onClick={() => void unpair()}>
              {t('displays.unpair')}
            </Button>
          </Can>
        </PageHead>
        <Group gap="lg" role="status">
          <StateBadge state={stateOf(display)} />
          <Text size="sm">{lastSeenAt === null ? '' : t('displays.seen', { when: showMoment(lastSeenAt, zone) })}</Text>
        </Group>
      </Stack>
      <ErrorPanel error={error} />
      <Stack className="hms-panel" p="lg">
        <ReadableForm
          item={display}
          schema={displayFields}
          label={t('displays.details')}
          mayChange={may('changeDisplay')}
          valuesOf={({ name, clinicIds }): DisplayFields => ({ name, clinicIds: [...clinicIds] })}
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
            </>
          )}
        >
          <Facts
            facts={[
              { label: t('displays.name'), value: <bdi>{name}</bdi> },
              { label: t('displays.clinicIds'), value: <bdi>{shown.join(', ')}</bdi> },
            ]}
          />
        </ReadableForm>
      </Stack>
    </Stack>
  );
}
