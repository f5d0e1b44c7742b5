/** What a doctor orders most. */
import { randomUUID } from 'node:crypto';
import { employees } from '@hms/domain/employees';
import { newId, records, workFor } from '@hms/service';
import { expect, it } from '@jest/globals';
import {
  activeTest,
  COUNT,
  doctor,
  get,
  hms,
  mary,
  ORDERS,
  POTASSIUM,
  panelOf,
  patient,
  person,
  post,
  SODIUM,
  TESTS,
  tech,
  useLaboratory,
} from './testing.ts';

useLaboratory();

it('are the tests and panels of the caller’s own orders, the most frequent first', async () => {
  const accountId = randomUUID();
  const own = await person('DOCTOR', accountId);
  const values = { firstName: 'Ann', lastName: 'Quinn', email: 'ann@example.org', roles: ['DOCTOR'], status: 'active' };
  await workFor(hms.platform, mary.hospital, 'test', (work) =>
    records(work, employees).insert({ ...values, employedFrom: '2026-01-01', accountId }, newId()),
  );
  const [potassium, sodium, count] = [await activeTest(POTASSIUM), await activeTest(SODIUM), await activeTest(COUNT)];
  const panel = await panelOf('ELEC', [potassium, sodium]);
  const place = (body: object, token = own) => post(ORDERS, { patientId: patient.id, ...body }, token);
  const favourites = async (token = own) =>
    (await get(`${ORDERS}/favourites`, token)).data<{ kind: string; code: string; orders: number }[]>();
  expect(await favourites()).toEqual([]);
  for (const _ of [1, 2, 3]) await place({ panelIds: [panel.id] });
  await place({ testIds: [count.id, potassium.id] });
  await place({ testIds: [count.id] });
  // Of another doctor, who is no employee.
  await place({ testIds: [sodium.id] }, doctor);
  expect((await favourites()).map(({ kind, code, orders }) => [kind, code, orders])).toEqual([
    ['panel', 'ELEC', 3],
    ['test', 'WBC', 2],
    ['test', 'K', 1],
  ]);
  // What can't be ordered any more is not offered.
  await post(`${TESTS}/${count.id}/retire`, {}, tech);
  expect((await favourites()).map(({ code }) => code)).toEqual(['ELEC', 'K']);
  expect(await favourites(doctor)).toEqual([]);
  expect((await get(`${ORDERS}/favourites`, tech)).status).toBe(403);
});
