/** The chain of the audit log: complete under load and kills, and changed by nobody without a trace. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type AuditFinding, sealBatch, verifyHospitalAudit, writeAuditHead } from '@hms/database';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { until } from '../../../../test/support/until.ts';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '../testing/index.ts';
import { ROOMS_TABLE, roomsModule } from '../testing/rooms.ts';

const SEAL_PROCESS = fileURLToPath(new URL('../testing/seal-process.ts', import.meta.url));
/** Requests of the load. */
const EVENTS = Number(process.env.HMS_AUDIT_EVENTS ?? 1_000);
const CLIENTS = 32;

let module: TestModule;

beforeAll(async () => {
  module = await startTestModule({ databaseUrls: platform().databaseUrls, define: () => roomsModule });
});
afterAll(() => module.close());

async function hospital(): Promise<{ readonly mary: TestHospital; readonly token: string }> {
  const mary = await createTestHospital(module.operator, module.issuer);
  await asOwner(mary, ROOMS_TABLE);
  return { mary, token: await mary.token(['ADMIN']) };
}

async function asOwner({ hospital: { prefix } }: TestHospital, statement: string): Promise<void> {
  await module.operator.transaction(async (trx) => {
    await trx.raw(`SET LOCAL search_path TO ${hospitalNames(prefix).schema}`);
    await trx.raw(statement);
  });
}

const verify = ({ hospital }: TestHospital) => verifyHospitalAudit(module.operator, hospital);

it('is complete after reads and writes of 32 clients, while the process that seals is killed three times', async () => {
  const { mary, token } = await hospital();
  const { id, prefix } = mary.hospital;
  let kills = 0;
  let done = false;
  const killed = (async () => {
    while (!done || kills < 3) {
      const child = spawn(process.execPath, [SEAL_PROCESS, platform().databaseUrls.app, id, prefix], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const before = (await verify(mary)).sealed;
      await until('a sealed event', async () => done || (await verify(mary)).sealed > before, Boolean);
      child.kill('SIGKILL');
      kills += 1;
    }
  })();
  let sent = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      const made = await module.send('POST', '/api/rooms/rooms', { token, body: { name: `Room ${client}` } });
      sent += 1;
      const path = `/api/rooms/rooms/${made.data<{ id: string }>().id}`;
      while (sent < EVENTS) {
        sent += 1;
        const body = { notes: `note ${sent}` };
        const answer = await (sent % 2 === 0
          ? module.send('PUT', path, { token, body })
          : module.send('GET', path, { token }));
        expect(answer.status).toBe(200);
      }
    }),
  );
  done = true;
  await killed;
  expect(kills).toBeGreaterThanOrEqual(3);
  await until(
    'everything sealed',
    () => verify(mary),
    ({ waiting }) => waiting === 0,
  );
  expect(await verify(mary)).toEqual({ sealed: sent, removed: 0, waiting: 0, findings: [] });
}, 180_000);

describe('the verification', () => {
  const SEALED = 8;

  async function sealed(): Promise<TestHospital> {
    const { mary, token } = await hospital();
    for (let n = 0; n < SEALED; n += 1) {
      await module.send('POST', '/api/rooms/rooms', { token, body: { name: `Room ${n}` } });
    }
    await until(
      'sealed events',
      () => verify(mary),
      ({ sealed }) => sealed === SEALED,
    );
    return mary;
  }

  const position = (findings: readonly AuditFinding[]) => findings.map((one) => [one.position, one.problem]);

  it.each([
    [
      'an event changed by a superuser',
      "UPDATE audit_events SET actor = 'eve' WHERE seq = 3",
      [[3, 'the event was changed']],
    ],
    [
      'a changed old value',
      'UPDATE audit_events SET after = after || \'{"name": "x"}\' WHERE seq = 5',
      [[5, 'the event was changed']],
    ],
    ['a deleted event', 'DELETE FROM audit_events WHERE seq = 4', [[4, 'the event was deleted']]],
    [
      'a deleted event with its link',
      'DELETE FROM audit_chain WHERE event_seq = 4; DELETE FROM audit_events WHERE seq = 4',
      [[4, 'this link of the chain is missing']],
    ],
    [
      'a cut-off end',
      'DELETE FROM audit_chain WHERE event_seq > 6; DELETE FROM audit_events WHERE seq > 6',
      [[7, 'the links up to 8 are missing']],
    ],
  ])('finds %s, with its position', async (_what, statement, expected) => {
    const mary = await sealed();
    await asOwner(mary, statement);
    expect(position((await verify(mary)).findings)).toEqual(expected);
  });

  it('finds a chain that was rewritten as a whole', async () => {
    const mary = await sealed();
    await asOwner(mary, "TRUNCATE audit_chain; UPDATE audit_events SET actor = 'eve' WHERE seq = 2");
    const resealed = await module.platform.tenants.inTenant(mary.hospital, (trx) => sealBatch(trx, mary.hospital.id));
    if (resealed) await writeAuditHead(module.operator, mary.hospital.id, resealed.head);
    expect(position((await verify(mary)).findings)).toEqual([[8, 'the chain was rewritten up to here']]);
  });
});

it('events of a process that ended before it sealed them are sealed by another one', async () => {
  const { mary, token } = await hospital();
  const lost = await startTestModule({
    databaseUrls: platform().databaseUrls,
    identity: module.issuer,
    define: () => roomsModule,
  });
  const { wrote } = lost.platform.sealer;
  lost.platform.sealer.wrote = () => undefined;
  await lost.send('POST', '/api/rooms/rooms', { token, body: { name: 'Blue' } });
  lost.platform.sealer.wrote = wrote;
  await lost.close();
  expect(await verify(mary)).toMatchObject({ sealed: 0, waiting: 1 });
  module.platform.sealer.start();
  await until(
    'a sealed event',
    () => verify(mary),
    ({ sealed }) => sealed === 1,
  );
});
