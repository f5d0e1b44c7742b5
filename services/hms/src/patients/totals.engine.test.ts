/** How many patients a list has, while this process and another one change them. */
import { moduleEnv } from '@hms/local';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { until } from '../../../../test/support/until.ts';
import { hmsModule } from '../module.ts';

/** More than are counted each time. */
const MANY = 1_200;
const { databaseUrls } = platform();

let processes: readonly TestModule[];
let hms: TestModule;
let mary: TestHospital;
let token: string;

beforeAll(async () => {
  const options = { databaseUrls, define: hmsModule, s3: moduleEnv(platform()) };
  hms = await startTestModule(options);
  processes = [hms, await startTestModule({ ...options, identity: hms.issuer })];
  mary = await createTestHospital(hms.operator, hms.issuer);
  token = await mary.token(['OWNER']);
  await asOwner(`INSERT INTO patients (id, patient_code, first_name, last_name, phone, date_of_birth, created_at, created_by, updated_by)
    SELECT gen_random_uuid(), 'OLD-' || n, 'Ann', 'Doe' || n % 3, '+62812' || (3000000 + n), '1990-05-17', now() - n * interval '1 minute', 'test', 'test'
    FROM generate_series(1, ${MANY}) n`);
  await asOwner('ANALYZE patients');
});
afterAll(() => Promise.all(processes.map((each) => each.close())));

const asOwner = (statement: string) =>
  hms.operator.transaction(async (trx) => {
    await trx.raw(`SET LOCAL search_path TO ${hospitalNames(mary.hospital.prefix).schema}, extensions`);
    await trx.raw(statement);
  });

const listed = async (query: string, by = hms) => {
  const answer = await by.send('GET', `/api/hms/patients?${query}`, { token });
  return { ids: answer.data<{ id: string }[]>().map(({ id }) => id), total: answer.meta?.total };
};
const total = async (query: string, by = hms) => (await listed(query, by)).total;
const totals = (query: string) => Promise.all(processes.map((by) => total(query, by)));
/** @param query of a list that both processes have counted. */
const become = (query: string, wanted: number) =>
  until(
    'the total',
    () => totals(query),
    (all) => all.every((one) => one === wanted),
    1_000,
  );

const create = async (lastName: string) => {
  const body = { firstName: 'Bea', lastName, phone: '+353861234567', dateOfBirth: '1980-01-01' };
  return (await hms.send('POST', '/api/hms/patients', { token, body })).data<{ id: string }>();
};

describe('the total of a large list', () => {
  it.each([
    ['', MANY],
    ['lastName=Doe1', MANY / 3],
    ['sort=lastName&limit=5', MANY],
    ['q=Ann%20Doe1', MANY / 3],
  ])('of "%s" is right in each process within a second of a change', async (query, before) => {
    await become(query, before);
    const { id } = await create('Doe1');
    const one = query.startsWith('q=') ? 0 : 1;
    await become(query, before + one);
    expect((await hms.send('DELETE', `/api/hms/patients/${id}`, { token })).status).toBe(200);
    await become(query, before);
  });

  it('is counted once for all who ask, and again after a change', async () => {
    await become('lastName=Doe2', MANY / 3);
    // A change that nothing tells of.
    await asOwner(`UPDATE patients SET deleted_at = now() WHERE patient_code = 'OLD-2'`);
    expect(await totals('lastName=Doe2')).toEqual([MANY / 3, MANY / 3]);
    await hms.send('DELETE', `/api/hms/patients/${(await create('Roe')).id}`, { token });
    await become('lastName=Doe2', MANY / 3 - 1);
    await asOwner(`UPDATE patients SET deleted_at = NULL WHERE patient_code = 'OLD-2'`);
  });

  it('is not shared by hospitals', async () => {
    await become('', MANY);
    const other = await createTestHospital(hms.operator, hms.issuer);
    const answer = await hms.send('GET', '/api/hms/patients', { token: await other.token(['OWNER']) });
    expect(answer.meta?.total).toBe(0);
  });
});

it('pages far down the list have each patient once, in order', async () => {
  for (const sort of ['-createdAt', 'lastName', '-lastName,createdAt']) {
    const pages = await Promise.all(
      Array.from({ length: 12 }, (_, index) => listed(`sort=${sort}&limit=100&page=${index + 1}`)),
    );
    const ids = pages.flatMap((page) => page.ids);
    expect(new Set(ids).size).toBe(MANY);
    const column = {
      '-createdAt': 'created_at DESC, id DESC',
      lastName: 'last_name, id',
      '-lastName,createdAt': 'last_name DESC, created_at, id DESC',
    }[sort];
    const { rows } = await hms.operator.raw<{ rows: { id: string }[] }>(
      `SELECT id FROM ${hospitalNames(mary.hospital.prefix).schema}.patients WHERE deleted_at IS NULL ORDER BY ${column}`,
    );
    expect(ids).toEqual(rows.map(({ id }) => id));
  }
});
