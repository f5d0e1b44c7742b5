/** Begins an impersonation, and hands it over to the portal of the hospital. */
import { NewImpersonation } from '@hms/api-client/limits/NewImpersonation';
import { Alert, Button, CloseButton, Radio, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { SearchPicker } from '../../../kit/forms/search-picker.tsx';
import { IMPERSONATIONS, useImpersonationColumns } from '../../../kit/impersonations/columns.tsx';
import { DataTable } from '../../../kit/lists/data-table.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { start } from '../../../kit/start.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';

type Started = Schemas['StartedImpersonation'];
type Candidate = Partial<Schemas['ImpersonationCandidate']> & { readonly email: string };
type Hospital = Pick<Schemas['HospitalSummary'], 'prefix' | 'name'>;

export function ImpersonationPage() {
  const { t } = useTranslation();
  const [started, setStarted] = useState<Started>();
  const list = useOwnImpersonations();
  // The list of before the start has not got it, and its code is shown only here.
  const isOver = list.data?.some(({ id, isLive }) => id === started?.impersonation.id && !isLive) ?? false;
  return (
    <Stack gap="md">
      <PageHead title={t('menu.impersonation')} />
      <Stack className="hms-panel" p="lg" maw="40rem">
        <Text size="sm" c="dimmed">
          {t('acting.how')}
        </Text>
        <StartForm onStarted={setStarted} />
        {/* Its own form for each one, so that no code is sent twice. */}
        {started && !isOver && (
          <HandOver key={started.impersonation.id} of={started} onOpened={() => setStarted(undefined)} />
        )}
      </Stack>
      <OwnImpersonations list={list} />
    </Stack>
  );
}

function StartForm({ onStarted }: { onStarted(started: Started): void }) {
  const { t } = useTranslation();
  const { permissions } = usePerson();
  const queries = useQueryClient();
  const { isBusy, error, run } = useRun();
  const [hospital, setHospital] = useState<Hospital>();
  const [person, setPerson] = useState<Candidate>();
  const begin = (form: HTMLFormElement) => {
    const sent = new FormData(form);
    const text = (name: string) => String(sent.get(name) ?? '').trim();
    return run(async () => {
      const body = {
        hospital: hospital?.prefix ?? '',
        ...(person?.accountId === undefined ? { email: person?.email ?? '' } : { accountId: person.accountId }),
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
        {hospital ? (
          <Picked
            label={t('acting.hospital')}
            text={`${hospital.name} (${hospital.prefix})`}
            onClear={() => {
              setHospital(undefined);
              setPerson(undefined);
            }}
          />
        ) : (
          <HospitalPicker onPick={setHospital} />
        )}
        {person && (
          <Picked
            label={t('acting.person')}
            text={person.name === undefined ? person.email : `${person.name} (${person.email})`}
            onClear={() => setPerson(undefined)}
          />
        )}
        {hospital && !person && <PersonPicker key={hospital.prefix} of={hospital} onPick={setPerson} />}
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
        <Button type="submit" loading={isBusy} disabled={!hospital || !person} style={{ alignSelf: 'flex-start' }}>
          {t('acting.start')}
        </Button>
      </Stack>
    </form>
  );
}

interface PickerProps<Row> {
  onPick(row: Row): void;
}

function HospitalPicker({ onPick }: PickerProps<Hospital>) {
  const { t } = useTranslation();
  return (
    <SearchPicker
      label={t('acting.hospital')}
      placeholder={t('acting.hospitalHow')}
      queryKey="hospitals"
      least={0}
      read={(q, signal) =>
        dataOf(
          api.GET('/api/console/hospitals', { params: { query: { limit: OFFERED, ...(q ? { q } : {}) } }, signal }),
        )
      }
      rowKey={({ prefix }) => prefix}
      codeOf={({ prefix }) => prefix}
      render={({ name, prefix }) => <NameAndMore name={name} more={prefix} />}
      onPick={onPick}
    />
  );
}

function PersonPicker({ of: { prefix }, onPick }: PickerProps<Candidate> & { readonly of: Hospital }) {
  const { t } = useTranslation();
  return (
    <SearchPicker<Candidate>
      isFirst
      label={t('acting.person')}
      placeholder={t('acting.personHow')}
      queryKey={`people of ${prefix}`}
      read={async (q, signal) => {
        const query = { hospital: prefix, q };
        const found = await dataOf(api.GET('/api/auth/impersonations/people', { params: { query }, signal }));
        // An account can be without an employee.
        return found.length === 0 && ADDRESS.test(q) ? [{ email: q }] : found;
      }}
      rowKey={({ email }) => email}
      codeOf={({ employeeCode }) => employeeCode}
      render={({ name, email, employeeCode }) => (
        <NameAndMore name={name ?? email} more={name === undefined ? '' : `${employeeCode} · ${email}`} />
      )}
      onPick={onPick}
    />
  );
}

const OFFERED = 8;
const ADDRESS = /^\S+@\S+\.\S+$/;

function NameAndMore({ name, more }: { readonly name: string; readonly more: string }) {
  return (
    <>
      <bdi>{name}</bdi>{' '}
      <Text span size="sm" c="dimmed" dir="ltr">
        {more}
      </Text>
    </>
  );
}

interface PickedProps {
  readonly label: string;
  readonly text: string;
  onClear(): void;
}

function Picked({ label, text, onClear }: PickedProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={label}
      value={text}
      readOnly
      rightSection={<CloseButton aria-label={t('acting.another', { label })} onClick={onClear} />}
    />
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

/** Somebody else may end one, or the person in another tab: while one is live, it is looked at again. */
function useOwnImpersonations() {
  return useQuery({
    queryKey: [IMPERSONATIONS, 'own'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/auth/impersonations/own', { params: { query: { limit: 20 } }, signal })),
    refetchInterval: ({ state }) => (state.data?.some(({ isLive }) => isLive) ? LOOK_MS : false),
    refetchOnWindowFocus: 'always',
  });
}

const LOOK_MS = 2_000;

function OwnImpersonations({ list }: { readonly list: ReturnType<typeof useOwnImpersonations> }) {
  const { t } = useTranslation();
  const columns = useImpersonationColumns({ mayEnd: true });
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
