/** A file with 10,000 patients is imported through the gateway, while the processes that import it are killed. */
import { type ApiClient, dataOf, type Schemas } from '@hms/api-client';
import { send } from '@hms/service/testing';
import { beforeAll, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { api, tokenOf } from '../support/gateway.ts';
import { freshHospital } from '../support/hospitals.ts';
import { kill } from '../support/signal.ts';
import { until } from '../support/until.ts';

const ROWS = 10_000;
const WRONG = 37;
const KILLS = 4;

let prefix: string;
let token: string;
let admin: ApiClient;

beforeAll(async () => {
  prefix = (await freshHospital()).metadata.name;
  token = await tokenOf(prefix, 'ADMIN');
  admin = api(token);
}, 90_000);

/** Every 270th row is wrong, each in one of three ways. */
function row(index: number): string {
  const phone = `+35386${1_000_000 + index}`;
  if (index % 270 !== 269) return `Ana ${index},Silva,${phone},1980-02-28`;
  return [`,Silva,${phone},1980-02-28`, `Ana ${index},Silva,none,1980-02-28`, `Ana ${index},Silva,${phone},1980-02-30`][
    Math.floor(index / 270) % 3
  ] as string;
}

/** Directly, as the gateway limits requests. Undefined while the process starts. */
const read = async ({ id }: Schemas['PatientImport']): Promise<Schemas['PatientImport'] | undefined> =>
  send(`http://127.0.0.1:${platform().ports['hms-1']}`, 'GET', `/api/hms/patient-imports/${id}`, { token }).then(
    (answer) => (answer.status === 200 ? answer.data<Schemas['PatientImport']>() : undefined),
    () => undefined,
  );
const total = async () => {
  const { data } = await admin.GET('/api/hms/patients', { params: { query: { limit: 1 } } });
  return data?.meta.total;
};

it(`imports the right ones of ${ROWS} rows, each once, wherever its processes die, and names the others`, async () => {
  const csv = ['firstName,lastName,phone,dateOfBirth', ...Array.from({ length: ROWS }, (_, index) => row(index))];
  const content = Buffer.from(csv.join('\n')).toString('base64');
  const body = { fileName: 'patients.csv', content };
  const checked = await dataOf(admin.POST('/api/hms/patient-imports', { body }));
  expect(checked).toMatchObject({ status: 'checked', total: ROWS, wrong: WRONG, imported: 0 });
  const params = { path: { id: checked.id } };
  const problems = await dataOf(
    admin.GET('/api/hms/patient-imports/{id}/findings', {
      params: { ...params, query: { limit: 100, kind: 'wrong' } },
    }),
  );
  const expected = Array.from({ length: WRONG }, (_, index) => ({
    line: index * 270 + 271,
    column: ['firstName', 'phone', 'dateOfBirth'][index % 3],
  }));
  expect(problems.map(({ line, column }) => ({ line, column }))).toEqual(expected);

  await dataOf(admin.POST('/api/hms/patient-imports/{id}/start', { params }));
  for (let killed = 0; killed < KILLS; killed += 1) {
    const wanted = Math.floor((ROWS * (killed + 1)) / (KILLS + 2));
    const running = await until(
      `${wanted} patients`,
      () => read(checked),
      (now) => (now?.imported ?? 0) >= wanted,
      120_000,
    );
    expect(running?.status).toBe('running');
    // Either may be at work.
    await Promise.all([kill('hms-1'), kill('hms-2')]);
  }
  const completed = await until(
    'the end',
    () => read(checked),
    (now) => now?.status === 'completed',
    180_000,
  );
  expect(completed).toMatchObject({ total: ROWS, wrong: WRONG, imported: ROWS - WRONG });
  expect(await total()).toBe(ROWS - WRONG);

  // The same file again: everybody is registered.
  const again = await dataOf(admin.POST('/api/hms/patient-imports', { body }));
  expect(again).toMatchObject({ total: ROWS, wrong: WRONG, known: ROWS - WRONG });
}, 600_000);
