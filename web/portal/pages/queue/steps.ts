/** The steps of people who wait, as the buttons of the page take them. */
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { type Entry, queueKeys } from './queue.queries.ts';

export type PlainStep = 'recall' | 'skip' | 'serve' | 'done' | 'no-show' | 'come-back' | 'undo';

/** For so long after a step, what is on the page may still move because of it, in ms. */
const SETTLING_MS = 1000;

interface News {
  /** What was done, as a sentence. */
  readonly text: string;
  /** Whose step it was, if it can be undone. */
  readonly id?: string;
}

export interface Steps {
  /** What was done last. */
  readonly news: News;
  readonly error: unknown;
  readonly isBusy: boolean;
  /** Whose step this browser took last, which somebody may want to undo. */
  readonly lastId: string | undefined;
  /**
   * Runs one at a time. @param work answers with what it has done. @param isWaiting whether it is run after the one that
   * is under way. Otherwise it is not run then.
   */
  run(work: () => Promise<News>, isWaiting?: boolean): Promise<void>;
  take(step: PlainStep, entry: Entry): Promise<void>;
  /** Whether a step of this browser is under way, or has just ended. */
  isSettling(): boolean;
}

export function useSteps(): Steps {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [news, setNews] = useState<News>({ text: '' });
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [lastId, setLastId] = useState<string>();
  const current = useRef<Promise<void>>(undefined);
  const endedAt = useRef(Number.NEGATIVE_INFINITY);
  const perform = async (work: () => Promise<News>) => {
    setBusy(true);
    setError(undefined);
    try {
      const done = await work();
      setNews(done);
      if (done.id !== undefined) setLastId(done.id);
    } catch (problem) {
      setNews({ text: '' });
      setError(problem);
    } finally {
      await queries.invalidateQueries({ queryKey: [queueKeys.all] });
      current.current = undefined;
      endedAt.current = performance.now();
      setBusy(false);
    }
  };
  const run = async (work: () => Promise<News>, isWaiting = false) => {
    // A second press of the same key, before the page shows that it is busy.
    if (current.current && !isWaiting) return;
    while (current.current) await current.current;
    current.current = perform(work);
    await current.current;
  };
  const take = (step: PlainStep, { id, version }: Entry) =>
    run(async () => {
      const sent = { params: { path: { id } }, body: { version } };
      const { label } = await dataOf(api.POST(`/api/queue/entries/{id}/${step}`, sent));
      return { text: t(`queue.done.${step}`, { label }), id };
    });
  const isSettling = () => current.current !== undefined || performance.now() - endedAt.current < SETTLING_MS;
  return { news, error, isBusy, lastId, run, take, isSettling };
}
