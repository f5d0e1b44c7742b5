/** What ends the work of a hospital: its suspension and its deletion. */
import { Button, Radio, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { focusTitle } from '../../../kit/lists/list-page.tsx';
import { useMay } from '../../../kit/roles/can.tsx';
import { BusyButton } from '../../../kit/ui/busy-button.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { soon } from '../../../kit/ui/soon.tsx';
import { HOSPITALS, hospitalQuery, type ManagedHospital } from './hospitals.queries.ts';

const ReasonForm = soon(async () => (await import('../../../kit/forms/reason-form.tsx')).ReasonForm);

export function Danger({ hospital }: { readonly hospital: ManagedHospital }) {
  const { t } = useTranslation();
  const may = useMay();
  if (hospital.deletingSince !== null) return <Text>{t('hospitals.deletionRuns')}</Text>;
  return (
    <Stack gap="md">
      {hospital.state === 'Active' ? <Suspend hospital={hospital} /> : <Resume hospital={hospital} />}
      {may('deleteHospital') && <Delete hospital={hospital} />}
    </Stack>
  );
}

interface Props {
  readonly hospital: ManagedHospital;
}

function useKeep(prefix: string) {
  const queries = useQueryClient();
  return (changed: ManagedHospital) => {
    queries.setQueryData(hospitalQuery(prefix).queryKey, changed);
    focusTitle();
    void queries.invalidateQueries({ queryKey: [HOSPITALS] });
  };
}

function Suspend({ hospital: { prefix } }: Props) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const keep = useKeep(prefix);
  const path = { hospital: prefix };
  return (
    <Stack className="hms-panel" p="lg" align="flex-start">
      <Title order={2} size="h4">
        {t('hospitals.suspend')}
      </Title>
      <Text size="sm">{t('hospitals.suspendHow')}</Text>
      {isAsking ? (
        <ReasonForm
          label={t('hospitals.reason')}
          submitLabel={t('hospitals.suspend')}
          save={(reason) =>
            dataOf(api.POST('/api/console/hospitals/{hospital}/suspend', { params: { path }, body: { reason } }))
          }
          onSaved={keep}
          onCancel={() => setAsking(false)}
        />
      ) : (
        <Button variant="default" c="bad" onClick={() => setAsking(true)}>
          {t('hospitals.suspendAsk')}
        </Button>
      )}
    </Stack>
  );
}

function Resume({ hospital: { prefix } }: Props) {
  const { t } = useTranslation();
  const keep = useKeep(prefix);
  const { isBusy, error, run } = useWork();
  const path = { hospital: prefix };
  const resume = () =>
    run(async () =>
      keep(await dataOf(api.POST('/api/console/hospitals/{hospital}/resume', { params: { path }, body: {} }))),
    );
  return (
    <Stack className="hms-panel" p="lg" align="flex-start">
      <Title order={2} size="h4">
        {t('hospitals.resume')}
      </Title>
      <Text size="sm">{t('hospitals.resumeHow')}</Text>
      <ErrorPanel error={error} />
      <BusyButton isBusy={isBusy} onClick={() => void resume()}>
        {t('hospitals.resume')}
      </BusyButton>
    </Stack>
  );
}

function Delete({ hospital: { prefix, spec } }: Props) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [policy, setPolicy] = useState(spec.deletionPolicy === 'Delete' ? 'Delete' : 'Retain');
  const { isBusy, error, run } = useWork();
  const remove = (event: FormEvent) => {
    event.preventDefault();
    if (typed !== prefix) return;
    void run(async () => {
      await dataOf(
        api.DELETE('/api/console/hospitals/{hospital}', {
          params: {
            path: { hospital: prefix },
            query: { confirm: typed, deletionPolicy: policy as 'Retain' | 'Delete' },
          },
        }),
      );
    });
  };
  return (
    <form aria-label={t('hospitals.delete')} onSubmit={remove}>
      <Stack className="hms-panel" p="lg" align="flex-start">
        <Title order={2} size="h4">
          {t('hospitals.delete')}
        </Title>
        <Radio.Group label={t('hospitals.policy')} value={policy} onChange={setPolicy}>
          <Stack gap="xs" mt="xs">
            {(['Retain', 'Delete'] as const).map((value) => (
              <Radio key={value} value={value} label={t(`hospitals.policies.${value}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <TextInput
          label={t('hospitals.typePrefix', { prefix })}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
        />
        <ErrorPanel error={error} />
        <Button type="submit" color="bad" loading={isBusy} disabled={typed !== prefix}>
          {t(policy === 'Delete' ? 'hospitals.deleteAll' : 'hospitals.deleteKept')}
        </Button>
      </Stack>
    </form>
  );
}

function useWork() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run };
}
