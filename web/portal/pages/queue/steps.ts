/** The steps of people who wait, as the buttons of the page take them. */
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { type Entry, queueKeys } from './queue.queries.ts';

export type PlainStep = 'recall' | 'skip' | 'serve' | 'done' | 'no-show' | 'come-back' | 'undo';

export interface Steps {
  /** What was done last, as a sentence. */
  readonly news: string;
  readonly error: unknown;
  readonly isBusy: boolean;
  /** Whose step this browser took last, which somebody may want to undo. */
  readonly lastId: string | undefined;
  /** Runs one at a time. @param work answers with a sentence about it. */
  run(work: () => Promise<string>): Promise<void>;
  remember(id: string): void;
  take(step: PlainStep, entry: Entry): Promise<void>;
}

export function useSteps(): Steps {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [news, setNews] = useState('');
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [lastId, setLastId] = useState<string>();
  const busy = useRef(false);
  const run = async (work: () => Promise<string>) => {
    // A second press of the same key, before the page shows that it is busy.
    if (busy.current) return;
    busy.current = true;
    setBusy(true);
    setError(undefined);
    try {
      setNews(await work());
    } catch (problem) {
      setNews('');
      setError(problem);
    } finally {
      await queries.invalidateQueries({ queryKey: [queueKeys.all] });
      busy.current = false;
      setBusy(false);
    }
  };
  const take = (step: PlainStep, { id, version }: Entry) =>
    run(async () => {
      const sent = { params: { path: { id } }, body: { version } };
      const { label } = await dataOf(api.POST(`/api/queue/entries/{id}/${step}`, sent));
      setLastId(id);
      return t(`queue.done.${step}`, { label });
    });
  return { news, error, isBusy, lastId, run, remember: setLastId, take };
}
