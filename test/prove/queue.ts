/** People who wait, and rooms that call them, at the same time. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clinic } from '@hms/domain/clinics';
import type { ShownEntry } from '@hms/domain/queue';
import type { Room } from '@hms/domain/rooms';
import type { TestAnswer } from '@hms/service/testing';
import type { People } from './people.ts';
import { isDone, MANY, numbered, outcome, type Proof, repeated, succeeded, unexpected, unless } from './proof.ts';

const ROOMS = 8;
const WAITING = 300;

export const QUEUE_SCENARIOS: readonly ((people: People) => Promise<Proof>)[] = [
  joins,
  callers,
  undoAgainstCall,
  transferAgainstServe,
  midnight,
];

let clinics = 0;

function aClinic(people: People): Promise<Clinic> {
  clinics += 1;
  const body = { code: `C${clinics}`, name: `Clinic ${clinics}`, isQueueEnabled: true };
  return people.do<Clinic>('ADMIN', 'clinics', body);
}

function aRoom(people: People, { id: clinicId }: Clinic, code: string): Promise<Room> {
  return people.do<Room>('ADMIN', 'rooms', { code, name: code, clinicId });
}

const join = (people: People, { id }: Clinic) => people.send('NURSE', 'POST', `/api/queue/${id}/entries`, {});

async function joined(people: People, clinic: Clinic): Promise<ShownEntry> {
  return (await join(people, clinic)).data<ShownEntry>();
}

const step = (people: People, { id, version }: ShownEntry, verb: string, body: object = {}) =>
  people.send('NURSE', 'POST', `/api/queue/entries/${id}/${verb}`, { version, ...body });

/** 500 people at once. */
async function joins(people: People): Promise<Proof> {
  const clinic = await aClinic(people);
  const answers = await Promise.all(Array.from({ length: MANY }, () => join(people, clinic)));
  const labels = answers.filter(isDone).map((answer) => answer.data<ShownEntry>().label);
  return numbered('500 tokens of a clinic at once', answers, labels, 0);
}

/** 8 rooms, and 300 people who wait. */
async function callers(people: People): Promise<Proof> {
  const clinic = await aClinic(people);
  for (let n = 0; n < WAITING; n += 1) await joined(people, clinic);
  const rooms = await Promise.all(
    Array.from({ length: ROOMS }, (_, index) => aRoom(people, clinic, `${clinic.code}-${index}`)),
  );
  const answers: TestAnswer[] = [];
  const called: ShownEntry[] = [];
  await Promise.all(
    rooms.map(async ({ id: roomId }) => {
      for (;;) {
        const body = { roomId, finish: true };
        const answer = await people.send('NURSE', 'POST', `/api/queue/${clinic.id}/call-next`, body);
        answers.push(answer);
        const next = isDone(answer) ? answer.data<ShownEntry | null>() : null;
        if (!next) return;
        called.push(next);
        answers.push(await step(people, next, 'serve'));
      }
    }),
  );
  const left = await people.rows<{ status: string }>(
    "SELECT status FROM @queue_entries WHERE clinic_id = ? AND status <> 'done'",
    [clinic.id],
  );
  return {
    scenario: `${ROOMS} rooms call ${WAITING} people`,
    requests: answers.length,
    outcomes: answers.map(outcome),
    violations: [
      ...unless(new Set(called.map(({ id }) => id)).size === called.length, 'somebody was called twice'),
      ...unless(called.length === WAITING, `${called.length} of ${WAITING} people were called`),
      ...unless(left.length === 0, `${left.length} people were lost`),
      ...unexpected(answers, []),
    ],
  };
}

/** Somebody takes a call back while the room calls again. */
async function undoAgainstCall(people: People): Promise<Proof> {
  const clinic = await aClinic(people);
  const room = await aRoom(people, clinic, `${clinic.code}-0`);
  return repeated('undo against call', async () => {
    const [first] = [await joined(people, clinic), await joined(people, clinic)];
    const called = (await step(people, first, 'call', { roomId: room.id })).data<ShownEntry>();
    const body = { roomId: room.id, finish: true };
    const answers = await Promise.all([
      step(people, called, 'undo'),
      people.send('NURSE', 'POST', `/api/queue/${clinic.id}/call-next`, body),
    ]);
    const inRoom = await people.rows<{ id: string }>(
      "SELECT id FROM @queue_entries WHERE room_id = ? AND status IN ('called', 'serving')",
      [room.id],
    );
    const waiting = await people.rows<{ id: string }>(
      "SELECT id FROM @queue_entries WHERE clinic_id = ? AND status = 'waiting'",
      [clinic.id],
    );
    const violations = [
      ...unless(inRoom.length <= 1, `${inRoom.length} people are called to the room`),
      ...unless(inRoom.length + waiting.length === 2, 'somebody is lost'),
      ...unless(isDone(answers[0]), 'the undoing was refused'),
      ...unexpected(answers, ['ROOM_BUSY']),
    ];
    for (const { id } of [...inRoom, ...waiting])
      await people.do('NURSE', `/api/queue/entries/${id}/cancel`, { reason: 'The round is over' });
    return { answers, violations };
  });
}

/** Somebody is sent to another clinic while the room notes that they have come. */
async function transferAgainstServe(people: People): Promise<Proof> {
  const [clinic, other] = [await aClinic(people), await aClinic(people)];
  return repeated('transfer against serve', async () => {
    const called = (await step(people, await joined(people, clinic), 'call')).data<ShownEntry>();
    const answers = await Promise.all([
      step(people, called, 'transfer', { clinicId: other.id }),
      step(people, called, 'serve'),
    ]);
    const [entry] = await people.rows<{ clinic_id: string; status: string }>(
      'SELECT clinic_id, status FROM @queue_entries WHERE id = ?',
      [called.id],
    );
    const expected = isDone(answers[0]) ? [other.id, 'waiting'] : [clinic.id, 'serving'];
    const violations = [
      ...unless(succeeded(answers) === 1, `${succeeded(answers)} of two were accepted`),
      ...unless([entry?.clinic_id, entry?.status].join() === expected.join(), `the person is ${entry?.status}`),
      ...unexpected(answers, ['STALE_VERSION', 'INVALID_STATE']),
    ];
    return { answers, violations };
  });
}

/** The hospital's zone, see `hospital.yaml`. */
const ZONE = 'Europe/Dublin';
const MINUTE = 60_000;
/** How long a setting takes until all processes have it, at the longest, in ms, with some to spare. */
const SETTLED = 30_000;
/** Joins come this long before and after the end of the day. */
const AROUND = 1_500;

/** The day of service ends while people join: it is made to begin in the middle of them. */
async function midnight(people: People): Promise<Proof> {
  const clinic = await aClinic(people);
  const begin = Math.ceil((Date.now() + SETTLED) / MINUTE) * MINUTE;
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' });
  people.set(`serviceDayStart: "${clock.format(begin)}"`);
  try {
    await sleep(begin - AROUND - Date.now());
    const answers = await Promise.all(
      Array.from({ length: MANY }, async (_, index) => {
        await sleep((index * 2 * AROUND) / MANY);
        return join(people, clinic);
      }),
    );
    const entries = answers.filter(isDone).map((answer) => answer.data<ShownEntry>());
    const days = Map.groupBy(entries, ({ serviceDate }) => serviceDate);
    const gaps = [...days].flatMap(([day, some]) =>
      numbered(
        '',
        answers.slice(0, some.length),
        some.map(({ label }) => label),
        0,
      ).violations.map((one) => `${day}: ${one}`),
    );
    const left = () =>
      people.rows<{ id: string }>(
        "SELECT id FROM @queue_entries WHERE clinic_id = ? AND service_date < ? AND status = 'waiting'",
        [clinic.id, [...days.keys()].sort().at(-1)],
      );
    for (let second = 0; second < 10 && (await left()).length > 0; second += 1) await sleep(1_000);
    return {
      scenario: `the day ends while ${MANY} people join`,
      requests: answers.length,
      outcomes: answers.map(outcome),
      violations: [
        ...unless(entries.length === MANY, `${entries.length} of ${MANY} got a token`),
        ...unless(days.size === 2, `there were ${days.size} days`),
        ...gaps,
        ...unless((await left()).length === 0, 'somebody still waits on the day that is over'),
        ...unexpected(answers, []),
      ],
    };
  } finally {
    people.set('serviceDayStart: "00:00"');
  }
}
