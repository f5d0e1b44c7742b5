/** Departments, clinics and rooms: what belongs to what, and what keeps what. */
import type { Clinic } from '@hms/domain/clinics';
import type { Department } from '@hms/domain/departments';
import { cancel, join } from '@hms/domain/queue';
import type { Room } from '@hms/domain/rooms';
import { type Work, workFor } from '@hms/service';
import { describe, expect, it } from '@jest/globals';
import {
  begun,
  CLINICS,
  call,
  clinic,
  DEPARTMENTS,
  day,
  doctor,
  EMPLOYEES,
  hms,
  made,
  mary,
  newClinic,
  newSchedule,
  nurse,
  outcome,
  ROOMS,
  room,
  SCHEDULES,
  wrongFields,
} from '../schedules/testing.ts';

const UNKNOWN = '0198a5a0-0000-7000-8000-000000000000';
const newDepartment = (code: string, more: object = {}) =>
  made<Department>(DEPARTMENTS, { code, name: `Department ${code}`, ...more });
const remove = (path: string, { id }: { readonly id: string }) => call('DELETE', `${path}/${id}`);
const change = (path: string, { id }: { readonly id: string }, body: Record<string, unknown>) =>
  outcome('PUT', `${path}/${id}`, body);

describe('a department', () => {
  it('is a part of another one, which is kept for it', async () => {
    const surgery = await newDepartment('SUR');
    const trauma = await newDepartment('TRA', { parentId: surgery.id });
    expect(trauma).toMatchObject({ parentId: surgery.id, status: 'active' });
    expect(await remove(DEPARTMENTS, surgery)).toMatchObject({
      status: 409,
      error: { code: 'DEPARTMENT_IN_USE', details: { usedBy: ['departments'] } },
    });
    expect(await change(DEPARTMENTS, trauma, { parentId: null })).toBe(200);
    expect((await remove(DEPARTMENTS, surgery)).status).toBe(200);
    expect(await change(DEPARTMENTS, trauma, { parentId: surgery.id })).toBe('INVALID_REFERENCE');
    expect(await outcome('POST', DEPARTMENTS, { code: 'X', name: 'X', parentId: UNKNOWN })).toBe('INVALID_REFERENCE');
  });

  it('is named by the field that leads to none, or to one out of use', async () => {
    const old = await newDepartment('OLD');
    await call('POST', `${DEPARTMENTS}/${old.id}/deactivate`, {});
    const problem = async (departmentId: string) => {
      const answer = await call('POST', CLINICS, { code: 'X', name: 'X', departmentId });
      return [answer.status, answer.error.details];
    };
    const field = { field: 'departmentId', in: 'body' };
    expect(await problem(UNKNOWN)).toEqual([
      422,
      { fields: [{ ...field, message: 'is not the id of one of the departments' }] },
    ]);
    expect(await problem(old.id)).toEqual([
      422,
      { fields: [{ ...field, message: 'is the id of one of the departments that is not in use' }] },
    ]);
  });

  it('is not deleted while somebody makes something of it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const one = await newDepartment(`R${round}`);
      const [made, removed] = await Promise.all([
        outcome('POST', CLINICS, { code: `R${round}`, name: 'X', departmentId: one.id }),
        remove(DEPARTMENTS, one),
      ]);
      expect([
        [201, 409],
        ['INVALID_REFERENCE', 200],
      ]).toContainEqual([made, removed.status]);
    }
  });

  it('is never a part of itself', async () => {
    const a = await newDepartment('A');
    const b = await newDepartment('B', { parentId: a.id });
    const c = await newDepartment('C', { parentId: b.id });
    expect(await change(DEPARTMENTS, a, { parentId: a.id })).toBe('DEPARTMENT_CYCLE');
    expect(await change(DEPARTMENTS, a, { parentId: c.id })).toBe('DEPARTMENT_CYCLE');
    expect(await change(DEPARTMENTS, c, { parentId: a.id })).toBe(200);
  });

  it('is not, however many requests there are at a time', async () => {
    const all = await Promise.all(['A', 'B', 'C', 'D'].map((code) => newDepartment(code)));
    const moves = all.map((one, index) => change(DEPARTMENTS, one, { parentId: all[(index + 1) % 4]?.id }));
    const answers = await Promise.all(moves);
    expect(answers.filter((answer) => answer === 'DEPARTMENT_CYCLE')).toHaveLength(1);
    expect(answers.filter((answer) => answer === 200)).toHaveLength(3);
  });

  it('out of use takes nothing new, and keeps what it has', async () => {
    const old = await newDepartment('OLD');
    const kept = await newClinic('KEPT', { departmentId: old.id });
    expect(await outcome('POST', `${DEPARTMENTS}/${old.id}/deactivate`, {}, nurse)).toBe('FORBIDDEN');
    const answer = await call('POST', `${DEPARTMENTS}/${old.id}/deactivate`, { version: 1 });
    expect(answer.data()).toMatchObject({ status: 'inactive', version: 2 });
    expect(await outcome('POST', `${DEPARTMENTS}/${old.id}/deactivate`, {})).toBe('INVALID_STATE');
    expect(await outcome('POST', `${DEPARTMENTS}/${old.id}/activate`, { version: 1 })).toBe('STALE_VERSION');
    expect(await outcome('POST', `${DEPARTMENTS}/${UNKNOWN}/activate`, {})).toBe('DEPARTMENT_NOT_FOUND');
    expect(await change(CLINICS, clinic, { departmentId: old.id })).toBe('INVALID_REFERENCE');
    expect(await change(EMPLOYEES, doctor, { departmentId: old.id })).toBe('INVALID_REFERENCE');
    expect(await outcome('POST', DEPARTMENTS, { code: 'X', name: 'X', parentId: old.id })).toBe('INVALID_REFERENCE');
    expect(await change(CLINICS, kept, { departmentId: old.id, name: 'Renamed' })).toBe(200);
    expect((await call('GET', `${DEPARTMENTS}?status=inactive`)).data()).toMatchObject([{ id: old.id }]);
    expect(await outcome('POST', `${DEPARTMENTS}/${old.id}/activate`, {})).toBe(200);
    expect(await change(CLINICS, clinic, { departmentId: old.id })).toBe(200);
    expect((await remove(DEPARTMENTS, old)).error.details).toEqual({ usedBy: ['clinics'] });
  });
});

describe('a clinic', () => {
  it('has what the queue needs', async () => {
    expect(clinic).toMatchObject({
      ...{ location: null, tokenPrefix: null, slotMinutes: null, isQueueEnabled: true, status: 'active' },
    });
    const changes = { location: 'Floor 2', tokenPrefix: 'A1', slotMinutes: 20, isQueueEnabled: false };
    const answer = await call('PUT', `${CLINICS}/${clinic.id}`, changes);
    expect(answer.data<Clinic>()).toMatchObject(changes);
  });

  it.each([
    [{ tokenPrefix: 'a' }, 'tokenPrefix'],
    [{ tokenPrefix: 'ABCDE' }, 'tokenPrefix'],
    [{ slotMinutes: 4 }, 'slotMinutes'],
    [{ slotMinutes: 481 }, 'slotMinutes'],
    [{ isQueueEnabled: 'yes' }, 'isQueueEnabled'],
  ])('is refused with %o', async (changes, field) => {
    expect(await wrongFields('PUT', `${CLINICS}/${clinic.id}`, changes)).toEqual([field]);
  });

  it('is kept for its rooms and its schedules, which the refusal names', async () => {
    await newSchedule();
    expect((await remove(CLINICS, clinic)).error).toMatchObject({
      code: 'CLINIC_IN_USE',
      message: 'This clinic is used by rooms and schedules: change those first, or put the clinic out of use',
      details: { usedBy: ['rooms', 'schedules'] },
    });
  });

  it('is kept for a schedule until its last day', async () => {
    const schedule = await begun(await newSchedule());
    expect((await remove(ROOMS, room)).status).toBe(200);
    expect(await change(SCHEDULES, schedule, { validTo: day() })).toBe(200);
    expect((await remove(CLINICS, clinic)).error.code).toBe('CLINIC_IN_USE');
    expect(await change(SCHEDULES, schedule, { validTo: day(-1) })).toBe(200);
    expect((await remove(CLINICS, clinic)).status).toBe(200);
  });
});

it('a clinic in which somebody waits stays in use', async () => {
  const within = <T>(run: (work: Work) => Promise<T>) => workFor(hms.platform, mary.hospital, 'test', run);
  const { id } = await within((work) => join(work, clinic.id, { priority: 0 }));
  expect((await call('POST', `${CLINICS}/${clinic.id}/deactivate`, {})).error).toMatchObject({
    ...{ code: 'CLINIC_IN_USE', message: expect.stringMatching(/^People wait in this clinic/) },
    details: { usedBy: ['queue_entries'] },
  });
  await within((work) => cancel(work, id, {}));
  expect(await outcome('POST', `${CLINICS}/${clinic.id}/deactivate`, {})).toBe(200);
});

describe('a room', () => {
  it('belongs to a clinic, and has a code of its own', async () => {
    expect(room).toMatchObject({ code: 'ENT-1', clinicId: clinic.id, location: null });
    const body = { name: 'X', clinicId: clinic.id };
    expect(await outcome('POST', ROOMS, { ...body, code: 'ent-1' })).toBe('ROOM_CODE_TAKEN');
    expect(await outcome('POST', ROOMS, { ...body, code: 'X', clinicId: UNKNOWN })).toBe('INVALID_REFERENCE');
    expect(await wrongFields('POST', ROOMS, { code: 'X', name: 'X' })).toEqual(['clinicId']);
    const other = await newClinic('EYE');
    await call('POST', `${CLINICS}/${other.id}/deactivate`, {});
    expect(await change(ROOMS, room, { clinicId: other.id })).toBe('INVALID_REFERENCE');
    await call('POST', `${CLINICS}/${other.id}/activate`, {});
    expect(await change(ROOMS, room, { clinicId: other.id })).toBe(200);
    expect((await call('GET', `${ROOMS}?clinicId=${other.id}&q=room`)).meta?.total).toBe(1);
    expect((await call('GET', `${ROOMS}?clinicId=${clinic.id}`)).meta?.total).toBe(0);
  });

  it('with schedules stays, and stays in its clinic', async () => {
    await newSchedule({ roomId: room.id });
    const other = await newClinic('EYE');
    expect(await change(ROOMS, room, { clinicId: other.id })).toBe('ROOM_IN_USE');
    expect(await change(ROOMS, room, { name: 'Renamed', clinicId: clinic.id })).toBe(200);
    expect((await remove(ROOMS, room)).error).toMatchObject({
      code: 'ROOM_IN_USE',
      details: { usedBy: ['schedules'] },
    });
  });

  it('is changed by administrators', async () => {
    expect(await outcome('GET', `${ROOMS}/${room.id}`, undefined, nurse)).toBe(200);
    expect(await outcome('POST', ROOMS, { code: 'X', name: 'X', clinicId: clinic.id }, nurse)).toBe('FORBIDDEN');
    expect(await made<Room>(ROOMS, { code: 'X', name: 'X', clinicId: clinic.id })).toMatchObject({ code: 'X' });
  });
});
