/** What displays and pages see of a queue, as it changes. */
import { type Clinic, clinics } from '@hms/domain/clinics';
import { type Board, closeDaysBefore, countChange, currentDay } from '@hms/domain/queue';
import { rooms } from '@hms/domain/rooms';
import { newId, records } from '@hms/service';
import { createTestHospital, startTestModule, type TestModule } from '@hms/service/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { platform } from '../../../test/platform.ts';
import { until } from '../../../test/support/until.ts';
import { queueModule } from './module.ts';
import {
  aClinic,
  age,
  aPatient,
  aRoom,
  callNext,
  join,
  mary,
  nurse,
  outcome,
  queue,
  setSettings,
  take,
  useQueue,
  within,
} from './testing.ts';

useQueue();

/** Another process, as behind the gateway. */
let other: TestModule;
let ent: Clinic;
let room: string;
const open: Followed[] = [];

beforeAll(async () => {
  other = await startTestModule({
    databaseUrls: platform().databaseUrls,
    define: queueModule,
    ttl: 0,
    identity: queue.issuer,
  });
});
afterAll(() => other.close());
beforeEach(async () => {
  ent = await aClinic('ENT', { tokenPrefix: 'A' });
  room = await aRoom(ent, 'Room 1');
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

interface Message {
  readonly id: string;
  readonly board: Board;
}

interface Followed {
  readonly status: number;
  text(): string;
  messages(): readonly Message[];
  /** The last board, once it is as it should be. */
  board(is: (board: Board) => boolean): Promise<Board>;
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

async function follow(
  path: string,
  { token = nurse, lastId }: { token?: string; lastId?: string } = {},
): Promise<Followed> {
  const abort = new AbortController();
  const response = await fetch(`${other.url}/api/queue/${path}`, {
    headers: { Authorization: `Bearer ${token}`, ...(lastId === undefined ? {} : { 'Last-Event-ID': lastId }) },
    signal: abort.signal,
  });
  let text = '';
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true });
  })().catch(() => undefined);
  const messages = () =>
    [...text.matchAll(/^id: (\S+)\ndata: (.*)$/gm)].map(([, id = '', data = '']) => ({
      id,
      board: JSON.parse(data) as Board,
    }));
  const one: Followed = {
    status: response.status,
    text: () => text,
    messages,
    board: async (is) => {
      const last = () => messages().at(-1)?.board;
      return (await until(
        'the board',
        async () => last(),
        (board) => board !== undefined && is(board),
      )) as Board;
    },
    ended,
    close: async () => {
      abort.abort();
      await ended;
    },
  };
  open.push(one);
  return one;
}

const stream = (options: { token?: string; lastId?: string } = {}) => follow(`${ent.id}/stream`, options);

describe('the stream of a clinic', () => {
  it('begins with the board, and has each change, without a name', async () => {
    const entry = await join(ent, { patientId: await aPatient('Nora', 'Quinn') });
    const shown = await stream();
    const first = await shown.board(() => true);
    expect(first).toMatchObject({
      ...{ clinicId: ent.id, clinicName: 'Clinic ENT', revision: 1, waiting: 1, serving: [], called: [] },
      next: [{ label: 'A-001', initials: null, priority: 0, etaP50: 15, etaP80: 23 }],
    });
    await callNext(ent, { roomId: room });
    expect(await shown.board(({ called }) => called.length === 1)).toMatchObject({
      called: [{ label: 'A-001', room: 'Room 1', calls: 1, since: expect.any(String) }],
      ...{ next: [], waiting: 0, revision: 2 },
    });
    await take(entry, 'serve');
    expect(await shown.board(({ serving }) => serving.length === 1)).toMatchObject({ called: [], revision: 3 });
    expect(shown.text()).not.toMatch(/Nora|Quinn|^event:/m);
    expect(shown.text()).toMatch(/^retry: \d+\n\n/);
  });

  it('has initials where the hospital wants them', async () => {
    await setSettings({ queueDisplayName: 'Initials' });
    await until(
      'the setting',
      async () => (await follow(`${ent.id}/stream`)).status,
      (status) => status === 200,
    );
    await join(ent, { patientId: await aPatient('Åsa', 'Öberg') });
    const shown = await stream();
    expect(await shown.board(({ next }) => next.length === 1)).toMatchObject({ next: [{ initials: 'Å. Ö.' }] });
  });

  it('ends when a setting of the hospital changes, and shows it to whoever comes back', async () => {
    await setSettings({ queueDisplayName: 'Initials' });
    await join(ent, { patientId: await aPatient('Nora', 'Quinn') });
    const shown = await until(
      'the setting',
      async () => {
        const one = await stream();
        return { one, board: await one.board(() => true) };
      },
      ({ board }) => board.next[0]?.initials === 'N. Q.',
    );
    await setSettings({ queueDisplayName: 'Token' });
    await shown.one.ended;
    const back = await stream({ lastId: shown.one.messages().at(-1)?.id ?? '' });
    expect(await back.board(() => true)).toMatchObject({ next: [{ initials: null }] });
  });

  it('sends nothing again to whoever has it', async () => {
    await join(ent);
    const { messages, board, close } = await stream();
    await board(() => true);
    const [{ id } = { id: '' }] = messages();
    expect(id).toBe('1');
    await close();
    const back = await stream({ lastId: id });
    const [sameByQuery, older] = [await follow(`${ent.id}/stream?lastEventId=${id}`), await stream({ lastId: '0' })];
    await older.board(() => true);
    await join(ent);
    for (const one of [back, sameByQuery]) {
      await one.board(({ waiting }) => waiting === 2);
      expect(one.messages().map((message) => message.id)).toEqual(['2']);
    }
    // An id of elsewhere is no reason to send nothing.
    for (const lastId of ['7', '1.1', 'x', '9'.repeat(300)]) await (await stream({ lastId })).board(() => true);
  });

  it('shows another name to whoever is there, and to whoever comes back', async () => {
    const entry = await join(ent);
    await take(entry, 'call', { roomId: room });
    const rename = (name: string) =>
      within(async (work) => records(work, rooms).update(await records(work, rooms).lock(room), { name }));
    const shown = await stream();
    await shown.board(({ called }) => called[0]?.room === 'Room 1');
    await rename('Room 2');
    await shown.board(({ called }) => called[0]?.room === 'Room 2');
    await shown.close();
    await rename('Room 3');
    const lastId = shown.messages().at(-1)?.id ?? '';
    const back = await stream({ lastId });
    expect(await back.board(() => true)).toMatchObject({ revision: Number(lastId), called: [{ room: 'Room 3' }] });
  });

  it('is silent where nobody has waited yet, whatever changes elsewhere', async () => {
    const shown = await stream();
    await shown.board(() => true);
    const eye = await aClinic('EYE');
    await aRoom(eye, 'Room 9');
    const elsewhere = await follow(`${eye.id}/stream`);
    await elsewhere.board(() => true);
    await join(ent);
    await shown.board(({ waiting }) => waiting === 1);
    expect(shown.messages().map(({ id }) => id)).toEqual(['0', '1']);
  });

  it('never goes back, and ends with the last change, in a storm of them', async () => {
    const shown = await Promise.all(Array.from({ length: 10 }, () => stream()));
    await Promise.all(Array.from({ length: 40 }, () => join(ent)));
    for (const one of shown) {
      await one.board(({ waiting }) => waiting === 40);
      const revisions = one.messages().map(({ board }) => board.revision);
      expect(revisions).toEqual(revisions.toSorted((before, after) => before - after));
      expect(new Set(revisions).size).toBe(revisions.length);
    }
  });

  it('is of the own hospital, for whoever may follow it', async () => {
    expect((await follow(`${newId()}/stream`)).status).toBe(404);
    expect((await follow('x/stream')).status).toBe(400);
    const theirs = await (await createTestHospital(queue.operator, queue.issuer)).token(['NURSE']);
    expect((await stream({ token: theirs })).status).toBe(404);
    expect(await outcome('GET', `${ent.id}/stream`, undefined, await mary.token([]))).toBe('FORBIDDEN');
    // A display that nobody has paired.
    expect((await stream({ token: await mary.token(['DISPLAY'], { claims: { sub: newId() } }) })).status).toBe(404);
  });

  it('ends with the token', async () => {
    const shown = await stream({ token: await mary.token(['NURSE'], { expiresIn: 2 }) });
    await shown.ended;
    expect(shown.messages()).toHaveLength(1);
  });

  it('ends at once when the process stops', async () => {
    const third = await startTestModule({
      databaseUrls: platform().databaseUrls,
      define: queueModule,
      ttl: 0,
      identity: queue.issuer,
    });
    const response = await fetch(`${third.url}/api/queue/${ent.id}/stream`, {
      headers: { Authorization: `Bearer ${nurse}` },
    });
    const reader = response.body?.getReader();
    await reader?.read();
    const begun = performance.now();
    const closed = third.close();
    // Whatever is left of the connection is cut.
    const next = () =>
      reader?.read().then(
        ({ done }) => done,
        () => true,
      );
    while ((await next()) === false);
    expect(performance.now() - begun).toBeLessThan(1_000);
    await closed;
  });

  it('shows the new day when the old one is over', async () => {
    await join(ent);
    const shown = await stream();
    await shown.board(({ waiting }) => waiting === 1);
    await within(({ trx }) => trx.query('UPDATE queue_entries SET service_date = service_date - 1'));
    await within(async (work) => {
      await closeDaysBefore(work, ent.id, currentDay(work));
      await countChange(work, [ent.id]);
    });
    await shown.board(({ waiting }) => waiting === 0);
  });
});

describe('a stream of several clinics', () => {
  it('has a message for each that has changed, and its id stands for all', async () => {
    const eye = await aClinic('EYE', { tokenPrefix: 'B' });
    const path = `display?clinics=${ent.id},${eye.id}`;
    const shown = await follow(path);
    await until(
      'both boards',
      async () => shown.messages(),
      ({ length }) => length === 2,
    );
    await join(eye);
    await shown.board(({ clinicId, waiting }) => clinicId === eye.id && waiting === 1);
    await join(ent);
    await shown.board(({ clinicId, waiting }) => clinicId === ent.id && waiting === 1);
    expect(shown.messages().map(({ id }) => id)).toEqual(['0.-', '0.0', '0.1', '1.1']);
    // The connection was cut after the first message.
    const cut = await follow(path, { lastId: '1.-' });
    await cut.board(() => true);
    expect(cut.messages()).toMatchObject([{ board: { clinicId: eye.id } }]);
    const back = await follow(path, { lastId: '1.0' });
    await back.board(() => true);
    expect(back.messages()).toMatchObject([{ id: '1.1', board: { clinicId: eye.id } }]);
    // The same clinic, written in another way.
    const one = await follow(`display?clinics=${ent.id},${ent.id.toUpperCase()}`);
    await one.board(() => true);
    expect(one.messages()).toMatchObject([{ id: '1' }]);
  });

  it('follows a person who is transferred', async () => {
    const eye = await aClinic('EYE', { tokenPrefix: 'B' });
    const entry = await join(ent);
    await age(entry, 5);
    const shown = await follow(`display?clinics=${ent.id},${eye.id}`);
    await until(
      'both boards',
      async () => shown.messages(),
      ({ length }) => length === 2,
    );
    await take(entry, 'transfer', { clinicId: eye.id });
    await until(
      'both changes',
      async () => shown.messages(),
      ({ length }) => length === 4,
    );
    const last = new Map(shown.messages().map(({ board }) => [board.clinicId, board.next.map(({ label }) => label)]));
    expect(last).toEqual(
      new Map([
        [ent.id, []],
        [eye.id, ['A-001']],
      ]),
    );
  });

  it('is refused for an unknown clinic, and for too many', async () => {
    expect((await follow(`display?clinics=${ent.id},${newId()}`)).status).toBe(404);
    for (const query of ['', '?clinics=', '?clinics=x', `?clinics=${Array.from({ length: 21 }, newId).join()}`])
      expect((await follow(`display${query}`)).status).toBe(400);
    const gone = await aClinic('OLD');
    await within(async (work) => records(work, clinics).remove(await records(work, clinics).lock(gone.id)));
    expect((await follow(`${gone.id}/stream`)).status).toBe(404);
  });
});
