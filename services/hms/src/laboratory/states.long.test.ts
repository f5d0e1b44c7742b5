/** Every step of an order and of a test of the catalogue, from every state: what is allowed, and what a refusal leaves. */
import { randomUUID } from 'node:crypto';
import type { ShownOrder } from '@hms/domain/lab-orders';
import type { LabTestWithRanges } from '@hms/domain/lab-tests';
import type { TestAnswer } from '@hms/service/testing';
import { expect, it } from '@jest/globals';
import {
  activeTest,
  COUNT,
  colleague,
  doctor,
  get,
  hms,
  item,
  ORDERS,
  order,
  PANELS,
  POTASSIUM,
  panelOf,
  post,
  read,
  resultIds,
  SODIUM,
  step,
  TESTS,
  tech,
  useLaboratory,
} from './testing.ts';

useLaboratory();

type Action = (placed: ShownOrder) => Promise<TestAnswer>;
/** The version of the result that somebody sees, or one that no order has. */
const seen = (placed: ShownOrder) => resultIds(placed)[0] ?? randomUUID();
const specimenId = ({ specimens }: ShownOrder) => specimens[0]?.id;

const ACTIONS = {
  change: ({ id }) => hms.send('PUT', `${ORDERS}/${id}`, { token: doctor, body: { priority: 'stat' } }),
  cancel: (placed) => step(placed, 'cancel', { reason: 'Ordered twice' }, doctor),
  collect: (placed) => step(placed, 'collect'),
  receive: (placed) => step(placed, 'receive'),
  reject: (placed) => step(placed, 'reject-specimen', { specimenId: specimenId(placed), reason: 'Clotted' }),
  enter: (placed) => step(placed, 'results', { results: [{ itemId: item(placed).id, value: '9.99' }] }),
  replace: (placed) => {
    const result = { itemId: item(placed).id, value: '9.5', replaces: resultIds(placed)[0] };
    return step(placed, 'results', { results: [result] });
  },
  verify: (placed) => step(placed, 'verify', { resultIds: [seen(placed)] }, colleague),
  acknowledge: (placed) => step(placed, 'acknowledge', { resultIds: [seen(placed)] }, doctor),
  amend: (placed) => {
    const value = item(placed).result?.value === '9.1' ? '9.2' : '9.1';
    return step(placed, 'amend', { resultId: seen(placed), value, reason: 'Typing error' });
  },
} as const satisfies Readonly<Record<string, Action>>;
type Name = keyof typeof ACTIONS;

const STATE = 'INVALID_STATE';
const CHANGED = 'LAB_RESULT_CHANGED';
const NONE = 'LAB_RESULT_NOT_FOUND';

/** By how an order gets into a state: the state after each action, or the code of its refusal. */
const ORDERS_TABLE: readonly (readonly [string, readonly Name[], Readonly<Record<Name, string>>])[] = [
  [
    ...(['ordered', []] as const),
    {
      ...{ change: 'ordered', cancel: 'cancelled', collect: 'collected', receive: STATE, reject: STATE },
      ...{ enter: STATE, replace: STATE, verify: NONE, acknowledge: NONE, amend: NONE },
    },
  ],
  [
    ...(['collected', ['collect']] as const),
    {
      ...{ change: 'collected', cancel: 'cancelled', collect: STATE, receive: 'in_progress', reject: 'ordered' },
      ...{ enter: 'resulted', replace: 'resulted', verify: NONE, acknowledge: NONE, amend: NONE },
    },
  ],
  [
    ...(['in_progress', ['collect', 'receive']] as const),
    {
      ...{ change: 'in_progress', cancel: 'cancelled', collect: STATE, receive: STATE, reject: 'ordered' },
      ...{ enter: 'resulted', replace: 'resulted', verify: NONE, acknowledge: NONE, amend: NONE },
    },
  ],
  [
    ...(['resulted', ['collect', 'enter']] as const),
    {
      ...{ change: 'resulted', cancel: STATE, collect: STATE, receive: STATE, reject: 'ordered', enter: CHANGED },
      ...{ replace: 'resulted', verify: 'verified', acknowledge: 'resulted', amend: STATE },
    },
  ],
  [
    ...(['verified', ['collect', 'enter', 'verify']] as const),
    {
      ...{ change: STATE, cancel: STATE, collect: STATE, receive: STATE, reject: STATE, enter: STATE, replace: STATE },
      ...{ verify: CHANGED, acknowledge: 'verified', amend: 'amended' },
    },
  ],
  [
    ...(['amended', ['collect', 'enter', 'verify', 'amend']] as const),
    {
      ...{ change: STATE, cancel: STATE, collect: STATE, receive: STATE, reject: STATE, enter: STATE, replace: STATE },
      ...{ verify: 'amended', acknowledge: 'amended', amend: 'amended' },
    },
  ],
  [
    ...(['amended', ['collect', 'enter', 'verify', 'amend', 'verify']] as const),
    {
      ...{ change: STATE, cancel: STATE, collect: STATE, receive: STATE, reject: STATE, enter: STATE, replace: STATE },
      ...{ verify: CHANGED, acknowledge: 'amended', amend: 'amended' },
    },
  ],
  [
    ...(['cancelled', ['cancel']] as const),
    {
      ...{ change: STATE, cancel: STATE, collect: STATE, receive: STATE, reject: STATE, enter: STATE, replace: STATE },
      ...{ verify: NONE, acknowledge: NONE, amend: NONE },
    },
  ],
];

it.each(ORDERS_TABLE)('an order that is %s after %j takes only its own steps', async (state, path, expected) => {
  const test = await activeTest(POTASSIUM);
  const arrive = async () => {
    let placed = await order([test]);
    for (const name of path) placed = (await ACTIONS[name](placed)).data<ShownOrder>();
    expect(placed.status).toBe(state);
    return placed;
  };
  const shared = await arrive();
  const found: Record<string, string> = {};
  for (const name of Object.keys(ACTIONS) as Name[]) {
    const isRefused = expected[name] === expected[name].toUpperCase();
    const answer = await ACTIONS[name](isRefused ? shared : await arrive());
    found[name] = answer.status === 200 ? answer.data<ShownOrder>().status : answer.error.code;
    if (isRefused) expect([name, answer.status]).toEqual([name, expected[name] === NONE ? 404 : 409]);
  }
  expect(found).toEqual(expected);
  expect(withoutReport(await read(shared))).toEqual(withoutReport(shared));
});

/** Without what the report changes, which is issued in the background. */
function withoutReport({ reports, reportedAt, updatedAt, version, ...rest }: ShownOrder) {
  return rest;
}

/** By the state of the first specimen, in an order that has another one. */
const SPECIMENS: readonly (readonly [string, readonly string[], Readonly<Record<string, number>>])[] = [
  ['expected', [], { collect: 200, receive: 409, 'reject-specimen': 409 }],
  ['collected', ['collect'], { collect: 409, receive: 200, 'reject-specimen': 200 }],
  ['received', ['collect', 'receive'], { collect: 409, receive: 409, 'reject-specimen': 200 }],
  ['rejected', ['collect', 'reject-specimen'], { collect: 409, receive: 409, 'reject-specimen': 409 }],
  ['cancelled', ['cancel'], { collect: 409, receive: 409, 'reject-specimen': 409 }],
];

it('a specimen takes only the steps of its state', async () => {
  const tests = [await activeTest(POTASSIUM), await activeTest(COUNT)];
  for (const [state, path, expected] of SPECIMENS) {
    const act = (placed: ShownOrder, name: string) => {
      const id = specimenId(placed);
      if (name === 'cancel') return step(placed, name, { itemIds: [item(placed).id], reason: 'None' }, doctor);
      return step(
        placed,
        name,
        name === 'reject-specimen' ? { specimenId: id, reason: 'Clotted' } : { specimenIds: [id] },
      );
    };
    for (const [name, status] of Object.entries(expected)) {
      let placed = await order(tests);
      for (const before of path) placed = (await act(placed, before)).data<ShownOrder>();
      const answer = await act(placed, name);
      expect([placed.specimens[0]?.status, name, answer.status]).toEqual([state, name, status]);
      if (status === 409) expect([answer.error.code, await read(placed)]).toEqual([STATE, placed]);
    }
  }
});

it('a test of the catalogue takes only the steps of its state', async () => {
  const act = ({ id }: LabTestWithRanges, name: string) => {
    const one = `${TESTS}/${id}`;
    if (name === 'delete') return hms.send('DELETE', one, { token: tech });
    if (name === 'rename') return hms.send('PUT', one, { token: tech, body: { name: 'Renamed' } });
    if (name === 'redefine') return hms.send('PUT', one, { token: tech, body: { unit: 'mg/dL' } });
    return post(`${one}/${name}`, {}, tech);
  };
  const table = {
    draft: { activate: 'active', retire: STATE, rename: 'draft', redefine: 'draft' },
    active: { activate: STATE, retire: 'retired', rename: 'active', redefine: 'LAB_TEST_FIXED' },
    retired: { activate: 'active', retire: STATE, rename: 'retired', redefine: 'LAB_TEST_FIXED' },
    deleted: Object.fromEntries(
      ['activate', 'retire', 'rename', 'redefine', 'delete'].map((name) => [name, 'LAB_TEST_NOT_FOUND']),
    ),
  };
  const paths = { draft: [], active: ['activate'], retired: ['activate', 'retire'], deleted: ['delete'] };
  let number = 0;
  for (const [state, expected] of Object.entries(table)) {
    for (const [name, outcome] of Object.entries(expected)) {
      number += 1;
      const created = await post(TESTS, { ...POTASSIUM, code: `K${number}` }, tech);
      const test = created.data<LabTestWithRanges>();
      for (const before of paths[state as keyof typeof paths]) await act(test, before);
      const before = (await get(`${TESTS}/${test.id}`)).data();
      const answer = await act(test, name);
      const found = answer.status === 200 ? answer.data<LabTestWithRanges>().status : answer.error.code;
      expect([state, name, found]).toEqual([state, name, outcome]);
      if (answer.status !== 200) expect((await get(`${TESTS}/${test.id}`)).data()).toEqual(before);
    }
  }
});

it('each step says that the record was changed meanwhile, and changes nothing', async () => {
  const test = await activeTest(POTASSIUM);
  const panel = await panelOf('P', [test]);
  const placed = await order([test]);
  const body = { version: 999, reason: 'None', value: '5' };
  const ids = { resultIds: [randomUUID()], resultId: randomUUID(), specimenId: specimenId(placed) };
  const results = [{ itemId: item(placed).id, value: '5' }];
  const names = ['cancel', 'collect', 'receive', 'reject-specimen', 'results', 'verify', 'acknowledge', 'amend'];
  for (const name of names) {
    const token = name === 'cancel' || name === 'acknowledge' ? doctor : tech;
    const answer = await step(placed, name, { ...body, ...ids, results }, token);
    expect([name, answer.status, answer.error?.code]).toEqual([name, 409, 'STALE_VERSION']);
  }
  for (const path of [`${TESTS}/${test.id}`, `${PANELS}/${panel.id}`]) {
    const changed = await hms.send('PUT', path, { token: tech, body: { name: 'Other', version: 999 } });
    const removed = await hms.send('DELETE', `${path}?version=999`, { token: tech });
    for (const answer of [changed, removed]) expect([path, answer.error?.code]).toEqual([path, 'STALE_VERSION']);
  }
  for (const name of ['activate', 'retire'])
    expect((await post(`${TESTS}/${test.id}/${name}`, { version: 999 }, tech)).error?.code).toBe('STALE_VERSION');
  expect(await read(placed)).toEqual(placed);
  expect((await get(`${TESTS}/${test.id}`)).data()).toEqual(test);
  expect((await get(`${PANELS}/${panel.id}`)).data()).toEqual(panel);
});

it('a panel has a code of its own, and an order at most 100 tests', async () => {
  const tests = await Promise.all([POTASSIUM, SODIUM].map(activeTest));
  const [first, second] = [await panelOf('P', tests.slice(0, 1)), await panelOf('Q', tests.slice(1))];
  const taken = { status: 409, error: { code: 'LAB_PANEL_CODE_TAKEN' } };
  const body = { code: 'p', name: 'Same', testIds: [tests[0]?.id] };
  expect(await post(PANELS, body, tech)).toMatchObject(taken);
  expect(await hms.send('PUT', `${PANELS}/${second.id}`, { token: tech, body: { code: first.code } })).toMatchObject(
    taken,
  );
  const hundred = Array.from({ length: 99 }, (_, n) => activeTest({ ...COUNT, code: `C${n}` }));
  const testIds = (await Promise.all(hundred)).map(({ id }) => id);
  const patientId = (await order(tests)).patientId;
  const large = { patientId, testIds, panelIds: [first.id, second.id] };
  expect(await post(ORDERS, large, doctor)).toMatchObject({ status: 422, error: { code: 'LAB_ORDER_TOO_LARGE' } });
});
