/** The token that somebody has just got: large enough to be shown across the desk, and to be printed. */
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { usePerson } from '../../../kit/session/use-session.ts';
import { showMoment } from '../../../kit/time/time.ts';
import { isAlwaysPrinted, printAlways } from './place.ts';
import type { Entry, Queue } from './queue.queries.ts';

interface Props {
  readonly entry: Entry;
  readonly clinicName: string;
}

interface TicketProps extends Props {
  /** Whether it was given now. Another one is printed only when somebody asks for it. */
  readonly isNew: boolean;
  /** What it is now, of somebody who waits. */
  readonly estimate: Queue['waiting'][number]['estimate'] | undefined;
}

export function Ticket({ entry, clinicName, isNew, estimate }: TicketProps) {
  const { t } = useTranslation();
  const [isAlways, setAlways] = useState(isAlwaysPrinted);
  const [isPrinting, setPrinting] = useState(isNew && isAlways);
  const { label, status } = entry;
  const { p50: from, p80: to } = estimate ?? { p50: entry.estimateP50, p80: entry.estimateP80 };
  return (
    <Group className="hms-token" p="md" gap="lg" align="center" wrap="wrap">
      <div>
        <Text fz="3.5rem" lh={1.1} fw={700} className="hms-number">
          {label}
        </Text>
        <Text size="sm">
          {status === 'waiting' ? t('queue.ticketWait', { from, to, count: to }) : t(`queue.status.${status}`)}
        </Text>
      </div>
      <Stack gap="xs" align="flex-start">
        <Button variant="default" onClick={() => setPrinting(true)}>
          {t('queue.print')}
        </Button>
        <Checkbox
          size="sm"
          label={t('queue.printAlways')}
          checked={isAlways}
          onChange={({ currentTarget: { checked } }) => {
            printAlways(checked);
            setAlways(checked);
          }}
        />
      </Stack>
      {isPrinting && <Paper entry={entry} clinicName={clinicName} onDone={() => setPrinting(false)} />}
    </Group>
  );
}

/** What is printed. It is on the page only for as long as the browser prints. */
function Paper({ entry, clinicName, onDone }: Props & { onDone(): void }) {
  const { t } = useTranslation();
  const { hospital } = usePerson();
  const [qr, setQr] = useState<string | null>();
  const { id, label, joinedAt, estimateP50: from, estimateP80: to } = entry;
  useEffect(() => {
    let isOver = false;
    // A ticket without the code is better than none.
    dataOf(api.POST('/api/queue/entries/{id}/link', { params: { path: { id } } }))
      .then((link) => link.qr)
      .catch(() => null)
      .then((found) => isOver || setQr(found));
    return () => {
      isOver = true;
    };
  }, [id]);
  const print = () => {
    window.print();
    onDone();
  };
  const printWithout = useEffectEvent(print);
  useEffect(() => {
    if (qr === null) printWithout();
  }, [qr]);
  return createPortal(
    <div className="hms-ticket">
      <p>
        <bdi>{hospital?.name}</bdi>
      </p>
      <p>
        <bdi>{clinicName}</bdi>
      </p>
      <p className="hms-ticket-number" dir="ltr">
        {label}
      </p>
      <p>{t('queue.ticketWait', { from, to, count: to })}</p>
      <p>{showMoment(joinedAt, hospital?.timezone)}</p>
      {qr && (
        <>
          <img src={`data:image/svg+xml,${encodeURIComponent(qr)}`} alt="" onLoad={print} onError={print} />
          <p>{t('queue.ticketPhone')}</p>
        </>
      )}
    </div>,
    document.body,
  );
}
