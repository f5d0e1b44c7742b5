/** The link with which a doctor's own calendar program follows the appointments. It is shown once, when it is made. */
import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { useMay } from '../../../kit/roles/can.tsx';
import { useRun } from '../../../kit/session/login.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { ask } from '../../../kit/ui/ask.tsx';
import { BusyButton } from '../../../kit/ui/busy-button.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';

const QUERY = {
  queryKey: ['calendar-link'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => dataOf(api.GET('/api/queue/calendar-link', { signal })),
};

export function CalendarLink() {
  const { t } = useTranslation();
  const zone = usePerson().hospital?.timezone;
  const mayChange = useMay()('renewCalendarLink');
  const queries = useQueryClient();
  const found = useQuery(QUERY);
  const { error, isBusy, run } = useRun();
  const [url, setUrl] = useState('');
  if (!found.data) return <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />;
  const { createdAt } = found.data;
  const show = (link: { readonly createdAt: string | null }, shown: string) => {
    queries.setQueryData(QUERY.queryKey, { createdAt: link.createdAt });
    setUrl(shown);
  };
  const make = run(async () => {
    const renews = createdAt !== null;
    if (renews && !(await ask(t('calendar.confirmRenew'), t('calendar.renew'), t('calendar.endsFormer')))) return;
    const made = await dataOf(api.POST('/api/queue/calendar-link'));
    show(made, made.url);
  });
  const withdraw = run(async () => {
    if (!(await ask(t('calendar.confirmWithdraw'), t('calendar.withdraw'), t('calendar.endsFormer')))) return;
    show(await dataOf(api.DELETE('/api/queue/calendar-link')), '');
  });
  return (
    <Stack className="hms-panel" gap="sm" p="md" component="section" aria-label={t('calendar.title')}>
      <Title order={2} size="h4">
        {t('calendar.title')}
      </Title>
      <Text size="sm">{t('calendar.how')}</Text>
      <Text size="sm" role="status">
        {createdAt === null ? t('calendar.none') : t('calendar.since', { moment: showMoment(createdAt, zone) })}
      </Text>
      {url !== '' && <NewLink key={url} url={url} />}
      <ErrorPanel error={error} />
      {mayChange && (
        <Group gap="sm">
          <BusyButton variant="default" isBusy={isBusy} onClick={make}>
            {t(createdAt === null ? 'calendar.create' : 'calendar.renew')}
          </BusyButton>
          {createdAt !== null && (
            <BusyButton variant="default" c="bad" isBusy={isBusy} onClick={withdraw}>
              {t('calendar.withdraw')}
            </BusyButton>
          )}
        </Group>
      )}
    </Stack>
  );
}

function NewLink({ url }: { readonly url: string }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [done, setDone] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setDone(t('calendar.copied'));
    } catch {
      // Not allowed by the browser: the person copies what is selected.
      input.current?.select();
      setDone(t('calendar.notCopied'));
    }
  };
  return (
    <Stack gap={6}>
      <Group gap="sm" align="flex-end">
        <TextInput
          ref={input}
          label={t('calendar.link')}
          description={t('calendar.once')}
          value={url}
          readOnly
          dir="ltr"
          flex="1 1 16rem"
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button leftSection={<IconCopy size={18} aria-hidden />} onClick={() => void copy()}>
          {t('calendar.copy')}
        </Button>
      </Group>
      <Text size="sm" role="status">
        {done}
      </Text>
    </Stack>
  );
}
