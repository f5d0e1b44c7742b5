/** A live list picks up the changes of other people, and nobody else's. */

import { setTimeout as sleep } from 'node:timers/promises';
import { revokeTokens } from '@hms/database';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { until } from '../../../../test/support/until.ts';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '../testing/index.ts';
import { ROOMS_TABLE, roomsModule } from '../testing/rooms.ts';
import { workFor } from '../transaction.ts';

const ROOMS = '/api/rooms/rooms';
/** One that writes and one that people follow, as behind the gateway. */
let writer: TestModule;
let follower: TestModule;
let mary: TestHospital;
let token: string;
const streams: Stream[] = [];

beforeAll(async () => {
  const options = { databaseUrls: platform().databaseUrls, define: () => roomsModule, ttl: 0 };
  writer = await startTestModule(options);
  follower = await startTestModule({ ...options, identity: writer.issuer });
});
afterAll(async () => {
  await Promise.all(streams.map((stream) => stream.close()));
  await Promise.all([writer.close(), follower.close()]);
});
beforeEach(async () => {
  mary = await hospital();
  token = await mary.token(['ADMIN']);
});

async function hospital(): Promise<TestHospital> {
  const created = await createTestHospital(writer.operator, writer.issuer);
  await writer.operator.transaction(async (trx) => {
    await trx.raw(`SET LOCAL search_path TO ${hospitalNames(created.hospital.prefix).schema}`);
    await trx.raw(ROOMS_TABLE);
  });
  return created;
}

interface Stream {
  readonly status: number;
  readonly headers: Headers;
  /** The text so far. */
  text(): string;
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

async function follow(as: string): Promise<Stream> {
  const abort = new AbortController();
  const response = await fetch(`${follower.url}${ROOMS}/changes`, {
    headers: { Authorization: `Bearer ${as}` },
    signal: abort.signal,
  });
  let text = '';
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true });
  })().catch(() => undefined);
  const stream = {
    status: response.status,
    headers: response.headers,
    text: () => text,
    ended,
    close: async () => {
      abort.abort();
      await ended;
    },
  };
  streams.push(stream);
  if (stream.status === 200)
    await until(
      'the first event',
      async () => text,
      (all) => all.includes('event: reset'),
    );
  return stream;
}

const create = async (name: string, as = token): Promise<string> =>
  (await writer.send('POST', ROOMS, { token: as, body: { name } })).data<{ id: string }>().id;
const RESET = 'event: reset\ndata: {"quietMs":N}\n\n';
const change = (id: string) => `event: change\ndata: {"id":"${id}"}\n\n`;
const has = (part: string) => (text: string) => text.includes(part);

describe('a stream of changes', () => {
  it('has what another process creates, changes and deletes, and nothing that was refused', async () => {
    const stream = await follow(token);
    expect(stream.headers.get('Content-Type')).toBe('text/event-stream; charset=utf-8');
    const id = await create('Blue');
    await writer.send('PUT', `${ROOMS}/${id}`, { token, body: { floor: 2 } });
    const refused = await writer.send('POST', `${ROOMS}/${id}/status`, {
      token,
      body: { status: 'closed', refuse: true },
    });
    expect(refused.status).toBe(409);
    await writer.send('DELETE', `${ROOMS}/${id}`, { token });
    await until('three changes', async () => stream.text(), has(change(id).repeat(3)));
    const last = await create('Last');
    await until('the last change', async () => stream.text(), has(change(last)));
    expect(
      stream
        .text()
        .replace(/retry: \d{4}/, 'retry: N')
        .replace(/"quietMs":\d+/, '"quietMs":N'),
    ).toBe(`retry: N\n\n${RESET}${change(id).repeat(3)}${change(last)}`);
  });

  it('has no change of another hospital, and needs a role that may read the list', async () => {
    const anne = await hospital();
    const stream = await follow(await anne.token(['NURSE']));
    await create('Blue');
    const own = await create('Red', await anne.token(['ADMIN']));
    await until('the own change', async () => stream.text(), has(change(own)));
    expect(stream.text().match(/event: change/g)).toHaveLength(1);
    expect((await follow(await mary.token(['DISPLAY']))).status).toBe(403);
    expect((await fetch(`${follower.url}${ROOMS}/changes`)).status).toBe(401);
  });

  it('says for how long nothing has changed', async () => {
    await follow(token);
    const quiet = async () => Number(/"quietMs":(\d+)/.exec((await follow(token)).text())?.[1]);
    await sleep(300);
    const before = await quiet();
    expect(before).toBeGreaterThanOrEqual(300);
    const stream = await follow(token);
    const id = await create('Blue');
    await until('the change', async () => stream.text(), has(change(id)));
    expect(await quiet()).toBeLessThan(before);
  });

  it('ends with the token', async () => {
    const stream = await follow(await mary.token(['NURSE'], { expiresIn: 2 }));
    await stream.ended;
    expect(stream.text()).not.toContain('event: change');
  });

  it('ends before it says anything about a hospital that is suspended', async () => {
    const stream = await follow(token);
    const id = await create('Blue');
    await until('the change', async () => stream.text(), has(change(id)));
    await mary.setState('Suspended');
    await writer.operator.raw("SELECT pg_notify('hms_changes', ?)", [
      JSON.stringify({ role: hospitalNames(mary.hospital.prefix).role, record: 'example_rooms', id: 'late' }),
    ]);
    await stream.ended;
    expect(stream.text()).not.toContain('late');
  });

  it('ends when the tokens of the person are revoked, and is not opened again', async () => {
    const nurse = await mary.token(['NURSE'], { claims: { sub: 'nora' } });
    const [stream, other] = await Promise.all([follow(nurse), follow(token)]);
    await until(
      'the first event',
      async () => stream.text(),
      (text) => text.includes('event: reset'),
    );
    await workFor(writer.platform, mary.hospital, 'test', ({ trx }) => revokeTokens(trx, 'nora'));
    await stream.ended;
    expect(await follower.send('GET', `${ROOMS}/changes`, { token: nurse })).toMatchObject({ status: 401 });
    expect((await follower.send('GET', ROOMS, { token })).status).toBe(200);
    const id = await create('Green');
    await until('the change for others', async () => other.text(), has(change(id)));
  });

  it('is not opened by HEAD', async () => {
    const head = await fetch(`${follower.url}${ROOMS}/changes`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(head.status).toBe(200);
    expect((await follower.send('GET', ROOMS, { token })).status).toBe(200);
  });

  it('is one of 30 at most for each person', async () => {
    const busy = await mary.token(['NURSE'], { claims: { sub: 'busy' } });
    const open = await Promise.all(Array.from({ length: 30 }, () => follow(busy)));
    expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
    const refused = await follower.send('GET', `${ROOMS}/changes`, { token: busy });
    expect(refused).toMatchObject({ status: 429, error: { code: 'TOO_MANY_STREAMS' } });
    expect((await follow(token)).status).toBe(200);
    await Promise.all(open.map((stream) => stream.close()));
    await until(
      'room again',
      async () => (await follow(busy)).status,
      (status) => status === 200,
    );
  });

  it('survives a notice that nobody can read', async () => {
    const stream = await follow(token);
    await writer.operator.raw("SELECT pg_notify('hms_changes', 'x')");
    await until(
      'another reset',
      async () => stream.text(),
      (text) => text.match(/event: reset/g)?.length === 2,
    );
    const id = await create('Blue');
    await until('the change', async () => stream.text(), has(change(id)));
  });

  it('asks to read everything again after it may have missed something', async () => {
    const stream = await follow(token);
    await writer.operator.raw(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'hms-changes'",
    );
    await until(
      'another reset',
      async () => stream.text(),
      (text) => text.match(/event: reset/g)?.length === 2,
    );
    const id = await create('Blue');
    await until('the change', async () => stream.text(), has(change(id)));
  });
});
