/** Statements of banks and card acquirers: a file is imported, what is certain is matched, and the rest is decided. */
import { Anchor, Button, FileInput, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { ListPage, PageHead } from '../../../kit/lists/list-page.tsx';
import { Amount } from '../../../kit/money/money.tsx';
import { Can } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { showDay } from '../../../kit/time/time.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { AccountForm } from './account.form.tsx';
import { accountsQuery, bankKeys, readStatements } from './bank.queries.ts';

const route = getRouteApi('/bank');
const MOST_BYTES = 5_000_000;

export function StatementsPage() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const accounts = useQuery(accountsQuery);
  const nameOf = (id: string) => accounts.data?.find((account) => account.id === id)?.name ?? '';
  return (
    <Stack gap="md" maw="64rem">
      <PageHead title={t('menu.bank')} />
      <Can operation="importBankStatement">
        <Import />
      </Can>
      <ListPage
        isPart
        title={t('bank.statements')}
        search={search}
        onSearch={(changes) => void navigate({ search: (now) => ({ ...now, ...changes }) })}
        queryKey={bankKeys.statements(search)}
        read={(signal) => readStatements(search, signal)}
        rowKey={({ id }) => id}
        empty={t('bank.empty')}
        columns={[
          {
            key: 'period',
            title: t('bank.period'),
            render: ({ id, fromDay, toDay, fileName }) => (
              <Anchor size="sm" fw={500} renderRoot={(props) => <Link to="/bank/$id" params={{ id }} {...props} />}>
                <bdi>{[fromDay, toDay].flatMap((day) => (day ? [showDay(day)] : [])).join(' – ') || fileName}</bdi>
              </Anchor>
            ),
          },
          {
            key: 'account',
            title: t('bank.account'),
            render: ({ bankAccountId }) => <bdi>{nameOf(bankAccountId)}</bdi>,
          },
          {
            key: 'entries',
            title: t('bank.entries'),
            render: ({ newEntries, entryCount }) => t('bank.entriesOf', { new: newEntries, all: entryCount }),
          },
          {
            key: 'closing',
            title: t('bank.closing'),
            render: ({ closing }) => (closing === null ? '–' : <Amount of={closing} />),
          },
        ]}
      />
    </Stack>
  );
}

function Import() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const accounts = useQuery(accountsQuery);
  const { isBusy, error, run } = useRun();
  const [isAdding, setAdding] = useState(false);
  const [chosen, setChosen] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const all = accounts.data ?? [];
  const accountId = chosen || (all[0]?.id ?? '');
  const isTooLarge = file !== null && file.size > MOST_BYTES;
  const submit = run(async () => {
    if (!file || isTooLarge) return;
    const body = { fileName: file.name, content: await base64(file) };
    const params = { path: { id: accountId } };
    const [first] = await dataOf(api.POST('/api/payment/bank-accounts/{id}/statements', { params, body }));
    await queries.invalidateQueries({ queryKey: [bankKeys.all] });
    if (first) await navigate({ to: '/bank/$id', params: { id: first.id }, search: { match: true } });
  });
  if (isAdding)
    return (
      <AccountForm
        onCreated={(account) => {
          setAdding(false);
          setChosen(account.id);
          void queries.invalidateQueries({ queryKey: bankKeys.accounts });
        }}
        onCancel={() => setAdding(false)}
      />
    );
  return (
    <form
      className="hms-panel"
      onSubmit={submit}
      aria-label={t('bank.import')}
      noValidate
      style={{ padding: '1.25rem' }}
    >
      <Stack gap="md">
        <Text size="sm">{t(accounts.data && all.length === 0 ? 'bank.noAccounts' : 'bank.importHow')}</Text>
        <Group gap="md" align="flex-end">
          {all.length > 0 && (
            <>
              <NativeSelect
                label={t('bank.account')}
                value={accountId}
                data={all.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={({ currentTarget }) => setChosen(currentTarget.value)}
              />
              <FileInput
                label={t('bank.file')}
                accept=".xml,.csv,.txt,text/csv,text/xml,application/xml"
                value={file}
                onChange={setFile}
                w="16rem"
                error={isTooLarge ? t('bank.tooLarge') : undefined}
              />
              <Button type="submit" loading={isBusy} disabled={!file || isTooLarge}>
                {t('bank.import')}
              </Button>
            </>
          )}
          <Can operation="createBankAccount">
            <Button variant={all.length === 0 ? 'filled' : 'default'} onClick={() => setAdding(true)}>
              {t('bank.newAccount')}
            </Button>
          </Can>
        </Group>
        <ErrorPanel error={error ?? accounts.error} />
      </Stack>
    </form>
  );
}

async function base64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
