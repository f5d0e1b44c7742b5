/**
 * A PostgreSQL that accepts connections but does not answer: the status reports it within seconds, and nothing waits
 * forever.
 */
import { afterEach, describe, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import {
  annotate,
  applyHospital,
  deleteHospital,
  freshHospital,
  freshPrefix,
  readHospital,
  whenReady,
} from '../support/hospitals.ts';
import { signal } from '../support/signal.ts';
import { until } from '../support/until.ts';

const SLOW = 180_000;
/** The status must report it within this time. */
const SOON_MS = 15_000;

afterEach(() => signal('postgres', 'SIGCONT'));

const named = (name: string, type: string) =>
  until(
    `${type} of ${name} to name PostgreSQL`,
    () => readHospital(name),
    ({ status }) =>
      status?.conditions?.some(
        (condition) =>
          condition.type === type &&
          condition.reason === 'BackendUnavailable' &&
          condition.message.includes('PostgreSQL at '),
      ) ?? false,
    SOON_MS,
  );

describe('PostgreSQL hangs', () => {
  it(
    'is reported within 15 s by new and running hospitals and by the operator itself, and all recover when it answers again',
    async () => {
      const { metadata } = await freshHospital();
      const [running, fresh] = [metadata.name, freshPrefix()];
      signal('postgres', 'SIGSTOP');
      await annotate(running, { 'hms.dev/reconcile-requested-at': 'now' });
      await applyHospital(fresh);
      const [kept, begun] = await Promise.all([named(running, 'DatabaseReady'), named(fresh, 'Ready')]);
      expect(kept.status?.conditions).toContainEqual(expect.objectContaining({ type: 'StorageReady', status: 'True' }));
      expect(begun.status?.conditions).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ type: 'DatabaseReady', status: 'False', reason: 'BackendUnavailable' }),
          expect.objectContaining({ type: 'StorageReady', status: 'Unknown', message: 'waits for database' }),
        ]),
      );
      const ready = async () => {
        const answer = await fetch(`${platform().operatorUrl}/ready`);
        const { problems } = (await answer.json()) as { problems: string[] };
        return { status: answer.status, problems };
      };
      const report = await until('the operator to report it', ready, ({ status }) => status === 503, SOON_MS);
      expect(report.problems).toContainEqual(
        expect.stringMatching(/^database: no answer since .*Z; hospitals that wait/),
      );

      signal('postgres', 'SIGCONT');
      await Promise.all([whenReady(running), whenReady(fresh)]);
      await until('the operator to be ready', ready, ({ status }) => status === 200);
      await Promise.all([deleteHospital(running), deleteHospital(fresh)]);
    },
    SLOW,
  );
});
