/** Begins an impersonation, and hands it over to the portal of the hospital. */
import { NewImpersonation } from '@hms/api-client/limits/NewImpersonation';
import { Alert, Button, Radio, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { IMPERSONATIONS, useImpersonationColumns } from '../../../kit/impersonations/columns.tsx';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { start } from '../../../kit/start.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';

type Started = Schemas['StartedImpersonation'];

export function ImpersonationPage() {
  const { t } = useTranslation();
  const [started, setStarted] = useState<Started>();
  return (
    <Stack gap="md">
      <PageHead title={t('menu.impersonation')} />
      <Stack className="hms-panel" p="lg" maw="40rem">
        <Text size="sm" c="dimmed">
          {t('acting.how')}
        </Text>
        <StartForm onStarted={setStarted} />
        {/* Its own form for each one, so that no code is sent twice. */}
        {started && <HandOver key={started.impersonation.id} of={started} onOpened={() => setStarted(undefined)} />}
      </Stack>
      <OwnImpersonations />
    </Stack>
  );
}

function StartForm({ onStarted }: { onStarted(started: Started): void }) {
  const { t } = useTranslation();
  const { permissions } = usePerson();
  const queries = useQueryClient();
  const { isBusy, error, run } = useRun();
  const begin = (form: HTMLFormElement) => {
    const sent = new FormData(form);
    const text = (name: string) => String(sent.get(name) ?? '').trim();
    return run(async () => {
      const body = {
        hospital: text('hospital').toLowerCase(),
        email: text('email'),
        reason: text('reason').replaceAll(/\s+/g, ' '),
        mode: text('mode') === 'write' ? ('write' as const) : ('read' as const),
      };
      onStarted(await dataOf(api.POST('/api/auth/impersonations', { body })));
      await queries.invalidateQueries({ queryKey: [IMPERSONATIONS] });
    });
  };
  return (
    <form
      aria-label={t('menu.impersonation')}
      onSubmit={(event: FormEvent<HTMLFormElement>) => void begin(event.currentTarget)(event)}
    >
      <Stack gap="md">
        <TextInput
          name="hospital"
          label={t('acting.hospital')}
          description={t('acting.hospitalHow')}
          required
          withAsterisk={false}
          maxLength={NewImpersonation.hospital.longest}
          autoCapitalize="none"
          autoComplete="off"
          dir="ltr"
        />
        <TextInput
          name="email"
          type="email"
          label={t('acting.person')}
          required
          withAsterisk={false}
          maxLength={NewImpersonation.email.longest}
          autoComplete="off"
          dir="ltr"
        />
        <Textarea
          name="reason"
          label={t('acting.reasonField')}
          description={t('acting.reasonHow')}
          required
          withAsterisk={false}
          minLength={10}
          maxLength={NewImpersonation.reason.longest}
          autosize
          minRows={2}
        />
        <Radio.Group name="mode" label={t('acting.mode')} defaultValue="read">
          <Stack gap="xs" mt="xs">
            <Radio value="read" label={t('acting.modeRead')} />
            {permissions.includes('impersonations.write') && <Radio value="write" label={t('acting.modeWrite')} />}
          </Stack>
        </Radio.Group>
        <ErrorPanel error={error} />
        <Button type="submit" loading={isBusy} style={{ alignSelf: 'flex-start' }}>
          {t('acting.start')}
        </Button>
      </Stack>
    </form>
  );
}

/** The code is in the body of a form: no address, history or log has it. */
function HandOver({ of: { impersonation, code }, onOpened }: { readonly of: Started; onOpened(): void }) {
  const { t } = useTranslation();
  const { hospital, person, endsAt } = impersonation;
  const portal = (start.portals ?? '').replace('{prefix}', hospital.prefix);
  return (
    <Alert role="status" color="brand" variant="light">
      <form
        method="post"
        action={`${portal}session/impersonation`}
        target="_blank"
        rel="noopener"
        onSubmit={() => setTimeout(onOpened)}
      >
        <input type="hidden" name="id" value={impersonation.id} />
        <input type="hidden" name="code" value={code} />
        <Stack gap="sm" align="flex-start">
          <Text size="sm">
            {t('acting.ready', {
              person: person.name ?? person.email,
              hospital: hospital.name,
              until: showMoment(endsAt, undefined),
            })}
          </Text>
          <Button type="submit" autoFocus>
            {t('acting.open')}
          </Button>
          <Text size="xs">{t('acting.openHow')}</Text>
        </Stack>
      </form>
    </Alert>
  );
}

function OwnImpersonations() {
  const { t } = useTranslation();
  const columns = useImpersonationColumns({ mayEnd: true });
  const list = useQuery({
    queryKey: [IMPERSONATIONS, 'own'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/auth/impersonations/own', { params: { query: { limit: 20 } }, signal })),
  });
  return (
    <Stack gap="sm">
      <Title order={2}>{t('acting.own')}</Title>
      <div className="hms-panel">
        <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />
        {list.data?.length === 0 && (
          <Text p="xl" ta="center" c="dimmed">
            {t('acting.none')}
          </Text>
        )}
        {list.data && list.data.length > 0 && (
          <DataTable label={t('acting.own')} rows={list.data} columns={columns} rowKey={({ id }) => id} />
        )}
      </div>
    </Stack>
  );
}
