/** One plain record through its routes: what every record gets from its declaration. */
import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build, TENANT_SCHEMA_VERSION } from '@hms/database';
import { freePorts, moduleEnv } from '@hms/local';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { until } from '../../../../test/support/until.ts';
import {
  createTestHospital,
  type RequestOptions,
  startTestModule,
  type TestAnswer,
  type TestHospital,
  type TestModule,
} from '../testing/index.ts';
import { ROOMS_NEXT, ROOMS_TABLE, rooms, roomsModule } from '../testing/rooms.ts';
import { workFor } from '../transaction.ts';
import type { Work } from '../work.ts';
import { records } from './records.ts';

interface Room {
  readonly id: string;
  readonly roomCode: string;
  readonly name: string;
  readonly floor: number;
  readonly notes: string | null;
  readonly beds: number | null;
  readonly status: string;
  readonly version: number;
}

const ROOMS = '/api/rooms/rooms';
const ROOMS_PROCESS = fileURLToPath(new URL('../testing/rooms-process.ts', import.meta.url));
/** Kills. */
const ROUNDS = Number(process.env.HMS_KILL_ROUNDS ?? 3);
let module: TestModule;
let mary: TestHospital;
let token: string;

beforeAll(async () => {
  module = await startTestModule({ databaseUrls: platform().databaseUrls, define: () => roomsModule, ttl: 0 });
  mary = await createTestHospital(module.operator, module.issuer);
  token = await mary.token(['ADMIN']);
  await asOwner(ROOMS_TABLE);
});
afterAll(async () => {
  // Other suites compare the hospitals of the platform.
  await setSchemaVersion(TENANT_SCHEMA_VERSION);
  await module.close();
});
beforeEach(() => asOwner('TRUNCATE example_rooms, audit_events, idempotency_keys'));

async function setSchemaVersion(version: number): Promise<void> {
  await module.operator.raw('UPDATE platform.hospitals SET schema_version = ? WHERE id = ?', [
    version,
    mary.hospital.id,
  ]);
}

async function asOwner(statement: string): Promise<void> {
  await module.operator.transaction(async (trx) => {
    await trx.raw(`SET LOCAL search_path TO ${hospitalNames(mary.hospital.prefix).schema}`);
    await trx.raw(statement);
  });
}

const send = (method: string, path: string, body?: unknown, options: RequestOptions = {}) =>
  module.send(method, path, { token, ...(body === undefined ? {} : { body }), ...options });
const create = async (body: object): Promise<Room> => {
  const answer = await send('POST', ROOMS, body);
  expect(answer).toMatchObject({ status: 201 });
  return answer.data<Room>();
};
const move = (id: string, body: object, options: RequestOptions = {}) =>
  send('POST', `${ROOMS}/${id}/status`, body, options);

/** Rows of the hospital's tables, read directly. */
function rows<Row extends object>(table: string, where: object = {}): Promise<Row[]> {
  return module.platform.tenants.inTenant(mary.hospital, (trx) =>
    trx.run<Row>(build.from(table).where(where).select('*')),
  );
}
interface Event {
  readonly seq: number;
  readonly action: string;
  readonly record_id: string;
  readonly actor: string;
  readonly before: object | null;
  readonly after: object | null;
  readonly details: object | null;
  readonly address: string;
  readonly request_id: string;
}
const events = async () => (await rows<Event>('audit_events')).sort((a, b) => Number(a.seq) - Number(b.seq));

describe('a declared record', () => {
  it('is created with its code and defaults, read, changed and deleted', async () => {
    const room = await create({ name: 'Blue', equipment: ['lamp', 'bed'], hospitalId: 'x', version: 7 });
    expect(room).toMatchObject({
      hospitalId: mary.hospital.id,
      roomCode: expect.stringMatching(/^ROOM-\d{6}$/),
      floor: 0,
      notes: null,
      equipment: ['lamp', 'bed'],
      status: 'free',
      version: 1,
    });
    const changed = await send('PUT', `${ROOMS}/${room.id}`, { notes: 'quiet', status: 'closed', id: 'x' });
    // A change never resets a field to its default, and the state only changes by transitions.
    expect(changed.data<Room>()).toMatchObject({ notes: 'quiet', floor: 0, status: 'free', version: 2 });
    expect((await send('GET', `${ROOMS}/${room.id}`)).data()).toEqual(changed.data());
    expect((await send('DELETE', `${ROOMS}/${room.id}`)).data()).toMatchObject({ deletedAt: expect.any(String) });
    expect(await send('GET', `${ROOMS}/${room.id}`)).toMatchObject({ status: 404, error: { code: 'ROOM_NOT_FOUND' } });
  });

  it('has the time of its deletion from PostgreSQL, like its other times, and none after it is restored', async () => {
    const { id } = await create({ name: 'Blue' });
    const inHospital = <T>(work: (work: Work) => Promise<T>) => workFor(module.platform, mary.hospital, 'test', work);
    const deleted = await inHospital(async (work) => {
      const own = records(work, rooms);
      const room = await own.lock(id);
      // Longer than the precision of the times, since the transaction began.
      await delay(5);
      return own.remove(room);
    });
    expect(deleted.deletedAt).toBe(deleted.updatedAt);
    const restored = await inHospital((work) => records(work, rooms).restore(deleted));
    expect(restored).not.toHaveProperty('deletedAt');
    expect(await send('GET', `${ROOMS}/${id}`)).toMatchObject({ status: 200 });
  });

  it('is listed, sorted and filtered by what it declares', async () => {
    const [blue] = [await create({ name: 'Blue', floor: 2 }), await create({ name: 'Amber', floor: 1 })];
    const names = async (query: string) =>
      (await send('GET', `${ROOMS}?${query}`)).data<Room[]>().map(({ name }) => name);
    expect(await names('sort=name')).toEqual(['Amber', 'Blue']);
    expect(await names('floor=2')).toEqual(['Blue']);
    expect(await names(`roomCode=${blue.roomCode.toLowerCase()}`)).toEqual(['Blue']);
    expect(await names('status=closed')).toEqual([]);
    expect(await send('GET', `${ROOMS}?sort=notes`)).toMatchObject({ status: 400, error: { code: 'INVALID_SORT' } });
    expect(await send('GET', `${ROOMS}?floor=top`)).toMatchObject({ status: 400 });
  });

  it('moves through its declared states only', async () => {
    const { id } = await create({ name: 'Blue' });
    expect((await move(id, { status: 'occupied' })).data()).toMatchObject({ status: 'occupied' });
    expect(await move(id, { status: 'closed' })).toMatchObject({
      status: 409,
      error: { code: 'INVALID_STATE', details: { from: 'occupied', to: 'closed', allowed: ['free'] } },
    });
  });

  it('is changed by one of two people who have read the same version, by If-Match or by version', async () => {
    const { id } = await create({ name: 'Blue' });
    const path = `${ROOMS}/${id}`;
    const read = await send('GET', path);
    const etag = read.headers.get('ETag') ?? '';
    expect(etag).toBe('"1"');
    const put = (notes: string, ifMatch: string, body: object = {}) =>
      send('PUT', path, { notes, ...body }, { headers: { 'If-Match': ifMatch } });
    const [first, second] = await Promise.all([put('a', etag), put('b', etag)]);
    expect([first.status, second.status].sort()).toEqual([200, 409]);
    expect((await put('c', '"2"')).headers.get('ETag')).toBe('"3"');
    expect((await put('d', 'W/"3"', { version: 3 })).status).toBe(200);
    expect((await put('e', '*')).status).toBe(200);
    expect(await put('f', 'abc')).toMatchObject({
      status: 400,
      error: { details: { fields: [{ field: 'If-Match' }] } },
    });
    expect((await put('f', '"4"', { version: 5 })).status).toBe(400);
    expect(await send('DELETE', `${path}?version=1`)).toMatchObject({ error: { details: { version: 5 } } });
    expect((await send('DELETE', `${path}?version=x`)).status).toBe(400);
    const stale = await send('DELETE', path, undefined, { headers: { 'If-Match': '"1"' } });
    expect(stale).toMatchObject({ status: 409, error: { code: 'STALE_VERSION' } });
    expect((await send('DELETE', path, undefined, { headers: { 'If-Match': '"5"' } })).status).toBe(200);
  });

  it('serves a hospital that is one migration behind, and the new field after it', async () => {
    const room = await create({ name: 'Blue', beds: null });
    expect(room.beds).toBeNull();
    expect((await send('PUT', `${ROOMS}/${room.id}`, { notes: 'old schema' })).data()).toMatchObject({ beds: null });
    // The value would be lost.
    const refused = await send('POST', ROOMS, { name: 'Amber', beds: 2 });
    expect(refused).toMatchObject({ status: 503, error: { code: 'HOSPITAL_NOT_READY' } });
    expect(await rows('example_rooms')).toHaveLength(1);

    await asOwner(ROOMS_NEXT);
    await setSchemaVersion(TENANT_SCHEMA_VERSION + 1);
    expect(await create({ name: 'Amber', beds: 2 })).toMatchObject({ beds: 2 });
    expect((await send('GET', `${ROOMS}/${room.id}`)).data()).toMatchObject({ beds: null });
  });
});

describe('a repeated request', () => {
  const keyed = (key: string, body: object, path = ROOMS) =>
    send('POST', path, body, { headers: { 'Idempotency-Key': key } });
  /** Everything that a client sees, except the id of the request. */
  const seen = ({ status, success, error, meta, data }: TestAnswer) => ({ status, success, error, meta, data: data() });

  it('has one effect and equal responses, for 64 clients at once', async () => {
    const answers = await Promise.all(Array.from({ length: 64 }, () => keyed('one', { name: 'Blue' })));
    expect(answers[0]?.status).toBe(201);
    for (const answer of answers) expect(seen(answer)).toEqual(seen(answers[0] as TestAnswer));
    expect(answers.filter(({ headers }) => headers.get('Idempotency-Replayed') === 'true')).toHaveLength(63);
    expect(new Set(answers.map(({ headers }) => headers.get('ETag')))).toEqual(new Set(['"1"']));
    expect(await rows('example_rooms')).toHaveLength(1);
    expect(await rows('audit_events')).toHaveLength(1);
  });

  it('gets the same refusal again, and the refused work is undone while its audit is kept', async () => {
    const { id } = await create({ name: 'Blue' });
    const path = `${ROOMS}/${id}/status`;
    const first = await keyed('two', { status: 'occupied', refuse: true }, path);
    expect(first).toMatchObject({ status: 409, error: { code: 'HOSPITAL_FULL' } });
    await move(id, { status: 'closed' });
    const again = await keyed('two', { refuse: true, status: 'occupied' }, path);
    expect(seen(again)).toEqual(seen(first));
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect((await rows<Room>('example_rooms'))[0]?.status).toBe('closed');
    expect((await events()).map(({ action, details }) => [action, details])).toEqual([
      ['create', null],
      ['refuse', { method: 'POST', code: 'HOSPITAL_FULL' }],
      ['transition', null],
    ]);
  });

  it('gets the same refusal of a constraint again', async () => {
    const blue = await create({ name: 'Blue' });
    const first = await keyed('three', { name: 'Blue' });
    expect(first).toMatchObject({ status: 409, error: { code: 'ROOM_NAME_TAKEN' } });
    await send('PUT', `${ROOMS}/${blue.id}`, { name: 'Red' });
    expect(seen(await keyed('three', { name: 'Blue' }))).toEqual(seen(first));
  });

  it('is refused with another body, and may use the key in another route or as another person', async () => {
    const { id } = await create({ name: 'Green' });
    expect((await keyed('four', { name: 'Blue' })).status).toBe(201);
    expect(await keyed('four', { name: 'Red' })).toMatchObject({
      status: 422,
      error: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    expect((await keyed('four', { status: 'occupied' }, `${ROOMS}/${id}/status`)).status).toBe(200);
    const other = await mary.token(['NURSE'], { claims: { sub: 'nora' } });
    const answer = await send('POST', ROOMS, { name: 'Red' }, { token: other, headers: { 'Idempotency-Key': 'four' } });
    expect(answer.status).toBe(201);
  });

  it('is refused with another query, except for another token', async () => {
    const tokenOfJane = () => mary.token(['ADMIN'], { claims: { sub: 'jane', jti: crypto.randomUUID() } });
    const headers = { 'Idempotency-Key': 'query' };
    const body = { name: 'Blue' };
    const post = async (query: string) =>
      module.send('POST', `${ROOMS}?${query}jwt=${await tokenOfJane()}`, { body, headers });
    const first = await post('floor=1&wing=a&');
    expect(first.status).toBe(201);
    expect(seen(await post('wing=a&floor=1&'))).toEqual(seen(first));
    for (const query of ['floor=2&wing=a&', 'floor=1&', '']) {
      expect(await post(query)).toMatchObject({ status: 422, error: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    }
    expect(await rows('example_rooms')).toHaveLength(1);
  });

  it('may have its key in the body, for a browser that can not send the header', async () => {
    const body = { name: 'Blue', idempotencyKey: 'five' };
    const [first, again] = [await send('POST', ROOMS, body), await send('POST', ROOMS, body)];
    expect(seen(again)).toEqual(seen(first));
    expect(await rows('example_rooms')).toHaveLength(1);
    // A header names the same request.
    expect((await keyed('five', { name: 'Blue' })).headers.get('Idempotency-Replayed')).toBe('true');
  });

  it.each([
    ['', 'header'],
    ['a b', 'header'],
    ['x'.repeat(256), 'header'],
    [7, 'body'],
    ['', 'body'],
  ])('with the key %j in the %s is refused', async (key, place) => {
    const answer =
      place === 'header'
        ? await keyed(String(key), { name: 'Blue' })
        : await send('POST', ROOMS, { name: 'Blue', idempotencyKey: key });
    expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
  });

  it('has one effect if the process is killed between effect and response', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [, port] = Object.values(await freePorts());
      const child = spawn(process.execPath, [ROOMS_PROCESS], {
        env: {
          ...process.env,
          PORT: String(port),
          ...moduleEnv(platform()),
          BASE_URL: module.issuer.baseUrl,
          KEYCLOAK_URL: module.issuer.keycloakUrl,
        },
        stdio: 'ignore',
      });
      const at = `http://127.0.0.1:${port}`;
      const ready = () =>
        fetch(`${at}/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
      await until('the process to be ready', ready, Boolean);
      const requests = Array.from({ length: 8 }, (_, n) => ({ key: `kill-${round}-${n}`, name: `R${round}-${n}` }));
      const lost = requests.map(({ key, name }) =>
        fetch(`${at}${ROOMS}`, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${token}`,
            'Content-Type': 'application/json',
            'Idempotency-Key': key,
          },
          body: JSON.stringify({ name }),
        }).catch(() => undefined),
      );
      // Some requests have not begun by then, some are in progress, some are done.
      await until(
        'the first effect',
        () => rows('example_rooms'),
        (all) => all.length > 8 * round,
      );
      child.kill('SIGKILL');
      await Promise.all(lost);
      const repeated = await Promise.all(requests.map(({ key, name }) => keyed(key, { name })));
      expect(repeated.map(({ status }) => status)).toEqual(requests.map(() => 201));
      expect(await rows('example_rooms')).toHaveLength(8 * (round + 1));
    }
  }, 120_000);

  it('is not kept after an error of the server, nor longer than a day', async () => {
    await asOwner("ALTER TABLE example_rooms ADD CONSTRAINT broken CHECK (name <> 'Blue')");
    expect((await keyed('six', { name: 'Blue' })).status).toBe(500);
    await asOwner('ALTER TABLE example_rooms DROP CONSTRAINT broken');
    expect((await keyed('six', { name: 'Blue' })).status).toBe(201);
    await asOwner("UPDATE idempotency_keys SET created_at = now() - interval '25 hours'");
    expect((await keyed('six', { name: 'Red' })).status).toBe(201);
    await asOwner("UPDATE idempotency_keys SET created_at = now() - interval '25 hours'");
    await keyed('seven', { name: 'Amber' });
    expect(await rows<{ key: string }>('idempotency_keys')).toMatchObject([{ key: 'seven' }]);
  });
});

describe('the audit log', () => {
  it('records who changed what, from where, and the old and new values', async () => {
    const nora = await mary.token(['NURSE', 'DOCTOR'], { claims: { sub: 'nora' } });
    const requestId = '0b6a3f6e-52a8-4d1f-9c77-3d1f4a6c9f10';
    const { id } = await create({ name: 'Blue', notes: 'old' });
    await send(
      'PUT',
      `${ROOMS}/${id}`,
      { notes: 'new', name: 'Blue' },
      { token: nora, headers: { 'X-Request-ID': requestId, 'X-Forwarded-For': '203.0.113.9' } },
    );
    const [, change] = await events();
    expect(change).toMatchObject({
      actor: 'nora',
      actor_roles: ['DOCTOR', 'NURSE'],
      action: 'update',
      record: 'example_rooms',
      record_id: id,
      before: { notes: 'old' },
      after: { notes: 'new' },
      address: '203.0.113.9',
      request_id: requestId,
    });
  });

  it('can not be changed by the role of the hospital', async () => {
    await create({ name: 'Blue' });
    for (const statement of ['UPDATE audit_events SET actor = $1', 'DELETE FROM audit_events WHERE actor <> $1']) {
      const change = module.platform.tenants.inTenant(mary.hospital, (trx) => trx.query(statement, ['eve']));
      await expect(change).rejects.toMatchObject({ code: '42501' });
    }
  });
});

describe('a reply', () => {
  it('may be a stream in another format, read from the replica', async () => {
    await create({ name: 'Blue' });
    const response = await fetch(`${module.url}/api/rooms/names.csv`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('Content-Disposition')).toContain('rooms.csv');
    expect(await response.text()).toBe('name\r\nBlue\r\n');
    expect((await send('GET', '/api/rooms/write')).status).toBe(500);
  });

  it('may have errors in the format of a standard', async () => {
    const answer = await fetch(`${module.url}/api/rooms/fhir/00000000-0000-4000-8000-000000000000`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('Content-Type')).toBe('application/fhir+json');
    expect(await answer.json()).toMatchObject({
      resourceType: 'OperationOutcome',
      issue: [{ code: 'ROOM_NOT_FOUND' }],
    });
  });
});

it('a serializable route runs again when PostgreSQL demands it', async () => {
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => send('POST', '/api/rooms/together', { name: `Room ${n}` })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  expect(await rows('example_rooms')).toHaveLength(2);
});
