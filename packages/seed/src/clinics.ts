/** Clinics with rooms, and when doctors see people there. */
import { clinics, holdClinic } from '@hms/domain/clinics';
import { rooms } from '@hms/domain/rooms';
import { createSchedule, schedules } from '@hms/domain/schedules';
import { records, type Work } from '@hms/service';
import { type Actor, byCode, FIRST } from './run.ts';

/** The code, the name, the department, the prefix of tokens. */
const CLINICS = [
  ['GEN-1', 'General clinic', 'GEN', 'A'],
  ['PED-1', "Children's clinic", 'PED', 'P'],
  ['CAR-1', 'Heart clinic', 'CAR', 'C'],
] as const;

/** From this age on, nobody goes to the children's clinic any more. */
export const GROWN_UP = 16;

/** Hours of a doctor's day. */
const HOURS = 6;

export interface Desk {
  readonly clinic: (typeof CLINICS)[number][0];
  /** `HH:MM` by the clock of the hospital, from Monday to Friday. */
  readonly from: string;
  readonly slotMinutes: number;
}

/** A doctor in a room of their own. */
export interface Doctor extends Actor, Desk {
  readonly lastName: string;
  readonly clinicId: string;
  readonly roomId: string;
  /** When their day begins and ends, in minutes after midnight. */
  readonly opens: number;
  readonly closes: number;
}

/** Whether a clinic is for people of an age. */
export function isFor(clinic: Desk['clinic'], age: number): boolean {
  return (clinic === 'PED-1') === age < GROWN_UP;
}

/** @param desks with the number of each doctor's room. @param validFrom the first day of the schedules */
export async function ensureClinics(
  work: Work,
  desks: readonly (Actor & Desk & { readonly lastName: string; readonly number: number })[],
  departmentIds: ReadonlyMap<string, string>,
  validFrom: string,
): Promise<readonly Doctor[]> {
  const clinicIds = byCode(await records(work, clinics).list(FIRST));
  for (const [code, name, department, tokenPrefix] of CLINICS) {
    if (clinicIds.has(code)) continue;
    const body = { code, name, departmentId: departmentIds.get(department), tokenPrefix };
    clinicIds.set(code, (await records(work, clinics).insert(clinics.create.parse(body))).id);
  }
  const roomIds = byCode(await records(work, rooms).list(FIRST));
  const doctors: Doctor[] = [];
  for (const { number, ...desk } of desks) {
    const clinicId = clinicIds.get(desk.clinic) ?? '';
    const code = `${desk.clinic}-${number}`;
    const roomId = roomIds.get(code) ?? (await openRoom(work, desk, { code, number, clinicId, validFrom }));
    const opens = Number(desk.from.slice(0, 2)) * 60 + Number(desk.from.slice(3));
    doctors.push({ ...desk, clinicId, roomId, opens, closes: opens + HOURS * 60 });
  }
  return doctors;
}

/** A room, with the week of its doctor. */
async function openRoom(
  work: Work,
  { employeeId, from, slotMinutes }: Actor & Desk,
  {
    code,
    number,
    clinicId,
    validFrom,
  }: Record<'code' | 'clinicId' | 'validFrom', string> & { readonly number: number },
): Promise<string> {
  await holdClinic(work, clinicId);
  const room = await records(work, rooms).insert(rooms.create.parse({ code, name: `Room ${number}`, clinicId }));
  const endTime = `${Number(from.slice(0, 2)) + HOURS}:00`;
  for (let weekday = 1; weekday <= 5; weekday += 1) {
    const of = { doctorId: employeeId, clinicId, roomId: room.id };
    await createSchedule(
      work,
      schedules.create.parse({ ...of, weekday, startTime: from, endTime, slotMinutes, validFrom }),
    );
  }
  return room.id;
}
