/** Plans of reports: who may be told, and what the mail that follows has. */
import { employees } from '@hms/domain/employees';
import { reportMailOf } from '@hms/domain/report-schedules';
import { newId, records, workFor } from '@hms/service';
import { createTestHospital, type TestHospital, type TestModule } from '@hms/service/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { startReports } from '../testing/hospital.ts';
import { scheduleTask } from './schedules.routes.ts';

const PATH = '/api/report/schedules';

let module: TestModule;
let mary: TestHospital;
let token: string;
let accountant: string;
let doctor: string;

beforeAll(async () => {
  module = await startReports();
});
afterAll(() => module.close());
beforeEach(async () => {
  mary = await createTestHospital(module.operator, module.issuer);
  token = await mary.token(['ACCOUNTANT']);
  [accountant, doctor] = [await anEmployee('ACCOUNTANT'), await anEmployee('DOCTOR')];
});

const within = <T>(work: Parameters<typeof workFor<T>>[3]) => workFor(module.platform, mary.hospital, 'test', work);
const anEmployee = (role: string) =>
  within(async (work) => {
    const person = { firstName: 'Ann', lastName: role, email: `${role.toLowerCase()}@example.org`, roles: [role] };
    const values = { ...person, employedFrom: '2026-01-01' };
    return (await records(work, employees).insert(values, newId())).id;
  });
const plan = (more: object = {}) => {
  const body = { title: 'Takings', report: 'collections', groupBy: 'method', period: 'month', sendAt: '07:00' };
  return module.send('POST', PATH, { token, body: { ...body, recipientIds: [accountant], ...more } });
};
it('is for people who may see the report only', async () => {
  expect((await plan()).status).toBe(201);
  const { error } = await plan({ recipientIds: [accountant, doctor] });
  expect([error.code, error.details]).toMatchObject([
    'RECIPIENT_NOT_PERMITTED',
    { fields: [{ field: 'recipientIds.1' }] },
  ]);
  expect((await plan({ report: 'census', groupBy: 'day' })).error.code).toBe('FORBIDDEN');
  expect((await plan({ report: 'profit' })).error.message).toContain('report must be one of revenue');
  expect((await plan({ groupBy: 'clinic' })).error.message).toContain('groupBy must be one of day');
  expect((await plan({ sendAt: '25:00' })).error.code).toBe('VALIDATION_FAILED');
});

it('names the recipients, and when the next mail is sent', async () => {
  type Shown = { readonly id: string; readonly recipients: readonly object[]; readonly nextSendAt: string | null };
  const { id, nextSendAt, recipients } = (await plan({ period: 'day' })).data<Shown>();
  expect(recipients).toEqual([{ id: accountant, name: 'Ann ACCOUNTANT' }]);
  const wait = Date.parse(nextSendAt ?? '') - Date.now();
  expect([wait > 0, wait <= 24 * 3_600_000, nextSendAt?.endsWith(':00:00.000Z')]).toEqual([true, true, true]);
  const paused = (await module.send('POST', `${PATH}/${id}/pause`, { token })).data<Shown>();
  const [listed] = (await module.send('GET', PATH, { token })).data<readonly Shown[]>();
  expect(listed).toEqual(paused);
  expect([paused.nextSendAt, paused.recipients]).toEqual([null, recipients]);
});

it('is paused and deleted only by who may see its report', async () => {
  const accountantToken = token;
  token = await mary.token(['OWNER']);
  const { id } = (await plan({ report: 'census', groupBy: 'day', recipientIds: [doctor] })).data<{
    readonly id: string;
  }>();
  const steps = [
    ['POST', `${PATH}/${id}/pause`],
    ['POST', `${PATH}/${id}/resume`],
    ['DELETE', `${PATH}/${id}`],
  ] as const;
  for (const [method, path] of steps)
    expect((await module.send(method, path, { token: accountantToken })).error.code).toBe('FORBIDDEN');
  for (const [method, path] of steps) expect((await module.send(method, path, { token })).status).toBe(200);
});

it('leads to the report of the last month, for those who may still see it', async () => {
  const { id } = (await plan()).data<{ readonly id: string }>();
  const days = { from: '2026-10-01', to: '2026-11-01', permission: 'reports.financial' };
  const mail = () => within((work) => reportMailOf(work, { scheduleId: id, ...days }));
  expect(await mail()).toEqual({
    ...{ title: 'Takings', from: '2026-10-01', to: '2026-11-01', addresses: ['accountant@example.org'] },
    link: `${mary.hospital.portal}/reports/collections?from=2026-10-01&to=2026-11-01&groupBy=method`,
  });
  await within(async (work) => {
    const own = records(work, employees);
    await own.update(await own.lock(accountant), { roles: ['NURSE'] });
  });
  expect((await mail())?.addresses).toEqual([]);
  await module.send('DELETE', `${PATH}/${id}`, { token });
  expect(await mail()).toBeUndefined();
});

it('sends nothing while it is paused, and once a time otherwise', async () => {
  const { id } = (await plan({ period: 'day' })).data<{ readonly id: string }>();
  const run = async () => {
    const tasks: string[] = [];
    await within(async (work) => {
      const noting = {
        ...work,
        addTask: ((task, ...rest) => {
          tasks.push(task.name);
          return work.addTask(task, ...rest);
        }) as typeof work.addTask,
      };
      await scheduleTask.run(noting, { scheduleId: id }, undefined);
    });
    return tasks;
  };
  expect(await run()).toEqual(['report-mail', 'report-schedule']);
  await module.send('POST', `${PATH}/${id}/pause`, { token });
  expect(await run()).toEqual(['report-schedule']);
  await module.send('POST', `${PATH}/${id}/resume`, { token });
  expect(await run()).toEqual(['report-mail', 'report-schedule']);
  await module.send('DELETE', `${PATH}/${id}`, { token });
  expect(await run()).toEqual([]);
});
