/** Departments, clinics, rooms, schedules, and the people who work there. */

import { readHospitalRoles } from '@hms/database';
import { departments } from '@hms/domain/departments';
import { acceptInvitation, type Employee, employees, hire } from '@hms/domain/employees';
import { type Caller, records, type Work } from '@hms/service';
import type { HospitalRole } from '@hms/tenancy';
import { type Desk, type Doctor, ensureClinics } from './clinics.ts';
import { type Actor, after, byCode, FIRST, type SeedRun } from './run.ts';

const DEPARTMENTS = [
  ['GEN', 'General medicine', 'Ground floor'],
  ['PED', 'Paediatrics', 'First floor'],
  ['CAR', 'Cardiology', 'Second floor'],
  ['LAB', 'Laboratory', 'Basement'],
  ['PHA', 'Pharmacy', 'Ground floor'],
  ['REC', 'Reception', 'Entrance hall'],
] as const;

interface Post {
  readonly firstName: string;
  readonly lastName: string;
  readonly role: HospitalRole;
  readonly department: (typeof DEPARTMENTS)[number][0];
  readonly title: string;
  /** Where and when a doctor sees people. */
  readonly desk?: Desk;
}

const doctor = (
  name: string,
  department: Post['department'],
  title: string,
  clinic: Desk['clinic'],
  from: string,
  slotMinutes = 15,
): Post => {
  return { ...named(name), role: 'DOCTOR', department, title, desk: { clinic, from, slotMinutes } };
};
const post = (name: string, role: HospitalRole, department: Post['department'], title: string): Post => {
  return { ...named(name), role, department, title };
};

const POSTS: readonly Post[] = [
  doctor('Siobhan Kearney', 'GEN', 'Consultant physician', 'GEN-1', '08:00'),
  doctor('Mehmet Aksoy', 'GEN', 'Physician', 'GEN-1', '12:00'),
  doctor('Elena Vidal', 'GEN', 'Physician', 'GEN-1', '08:00'),
  doctor('Noor Haddad', 'PED', 'Consultant paediatrician', 'PED-1', '08:00'),
  doctor('Ivan Orlov', 'PED', 'Paediatrician', 'PED-1', '12:00'),
  doctor('Ananya Rana', 'CAR', 'Consultant cardiologist', 'CAR-1', '08:00', 30),
  post('Grace Nolan', 'NURSE', 'GEN', 'Senior nurse'),
  post('Putri Lestari', 'NURSE', 'PED', 'Nurse'),
  post('Tomas Rios', 'LAB_TECH', 'LAB', 'Biomedical scientist'),
  post('Linh Tran', 'LAB_TECH', 'LAB', 'Senior biomedical scientist'),
  post('Yusuf Khan', 'PHARMACIST', 'PHA', 'Pharmacist'),
  post('Dana Peretz', 'PHARMACIST', 'PHA', 'Chief pharmacist'),
  post('Aoife Byrne', 'RECEPTION', 'REC', 'Receptionist'),
  post('Somchai Boonmee', 'RECEPTION', 'REC', 'Receptionist'),
  post('Ruth Clarke', 'ADMIN', 'REC', 'Practice manager'),
  post('Marta Dunne', 'CASHIER', 'REC', 'Cashier'),
  post('Omar Farouk', 'ACCOUNTANT', 'REC', 'Accountant'),
];

export interface Staff {
  /** By code. */
  readonly departmentIds: ReadonlyMap<string, string>;
  readonly doctors: readonly Doctor[];
  readonly nurses: readonly Actor[];
  /** Two at least: one verifies what the other one enters. */
  readonly technicians: readonly Actor[];
  readonly pharmacists: readonly Actor[];
  readonly receptionists: readonly Actor[];
  readonly cashier: Actor;
  readonly accountant: Actor;
  readonly admin: Actor;
}

/** Hires whoever is missing, and waits for their accounts. @throws Error if the auth module does not create these. */
export async function ensureStaff(run: SeedRun, opened: Date): Promise<Staff> {
  const founder = await founderOf(run);
  const departmentIds = await run.batch((trx) => run.as(trx, founder, opened, ensureDepartments));
  const hired = await run.batch((trx) =>
    run.as(trx, founder, after(opened, 1), (work) => ensureHired(work, departmentIds)),
  );
  const actors = await withAccounts(run, founder, hired);
  const as = (role: HospitalRole) => actors.filter(({ caller }) => caller.roles.includes(role));
  const [[admin], [cashier], [accountant]] = [as('ADMIN'), as('CASHIER'), as('ACCOUNTANT')];
  if (!admin || !cashier || !accountant) throw new Error('the hospital has no practice manager, cashier or accountant');
  const desks = POSTS.flatMap(({ desk, lastName }, index) => {
    const actor = actors.find(({ employeeId }) => employeeId === hired[index]?.id);
    return desk && actor ? [{ ...actor, ...desk, lastName, number: index + 1 }] : [];
  });
  const doctors = await run.batch((trx) =>
    run.as(trx, admin, after(opened, 60), (work) => ensureClinics(work, desks, departmentIds, run.days[0] ?? '')),
  );
  return {
    departmentIds,
    ...{ doctors, nurses: as('NURSE'), technicians: as('LAB_TECH'), pharmacists: as('PHARMACIST') },
    ...{ receptionists: as('RECEPTION'), cashier, accountant, admin },
  };
}

/** Whoever sets up the hospital: no account, but all permissions that an administrator has. */
export async function founderOf(run: SeedRun): Promise<Actor> {
  const roles = await run.batch((trx) => readHospitalRoles(trx));
  return { employeeId: '', caller: callerFor(run, 'task:seed', ['ADMIN'], roles) };
}

async function ensureDepartments(work: Work): Promise<ReadonlyMap<string, string>> {
  const ids = byCode(await records(work, departments).list(FIRST));
  for (const [code, name, location] of DEPARTMENTS) {
    if (!ids.has(code)) ids.set(code, (await records(work, departments).insert({ code, name, location })).id);
  }
  return ids;
}

async function ensureHired(work: Work, departmentIds: ReadonlyMap<string, string>): Promise<readonly Employee[]> {
  const own = records(work, employees);
  const hired: Employee[] = [];
  for (const { firstName, lastName, role, department, title } of POSTS) {
    const email = emailOf(work, { firstName, lastName });
    const [known] = (await own.list({ ...FIRST, filters: { email } })).data;
    const departmentId = departmentIds.get(department);
    const body = { firstName, lastName, email, title, departmentId, roles: [role] };
    hired.push(known ?? (await hire(work, employees.create.parse(body))));
  }
  return hired;
}

function emailOf({ hospital }: Pick<Work, 'hospital'>, { firstName, lastName }: Pick<Post, 'firstName' | 'lastName'>) {
  return `${firstName}.${lastName}@${hospital.prefix}.example`.toLowerCase();
}

/** Accounts of those who register patients, if they have been hired. */
export async function receptionistsOf(work: Work): Promise<readonly string[]> {
  const emails = POSTS.filter(({ role }) => role === 'RECEPTION').map((one) => emailOf(work, one));
  const { data } = await records(work, employees).list({ ...FIRST, filters: { role: 'RECEPTION' } });
  return data.flatMap(({ email, accountId }) => (emails.includes(email) && accountId !== null ? [accountId] : []));
}

/** They accept the invitation, so that they are active. Nobody knows a password of theirs. */
async function withAccounts(run: SeedRun, founder: Actor, hired: readonly Employee[]): Promise<readonly Actor[]> {
  const { patience, part } = run.options;
  const end = Date.now() + patience;
  const ids = hired.map(({ id }) => id);
  return part('waiting for the accounts of the staff', async (progress) => {
    for (;;) {
      const found = await run.batch((trx) =>
        run.as(trx, founder, new Date(), (work) => records(work, employees).byIds(ids)),
      );
      const ready = found.filter(({ accountId }) => accountId !== null);
      if (ready.length === ids.length) return run.batch((trx) => activated(run, trx, founder, found));
      progress(() => `${ready.length} of ${ids.length}`);
      if (Date.now() > end) {
        throw new Error(
          `${ids.length - ready.length} of ${ids.length} accounts are not there after ${Math.round(patience / 1000)} s: see hmsctl tasks list ${run.options.hospital.prefix}, and run this command again`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  });
}

async function activated(
  run: SeedRun,
  trx: Parameters<typeof readHospitalRoles>[0],
  founder: Actor,
  hired: readonly Employee[],
): Promise<readonly Actor[]> {
  const roles = await readHospitalRoles(trx);
  const actors: Actor[] = [];
  for (const { id, accountId, roles: held } of hired) {
    if (accountId === null) continue;
    await run.as(trx, founder, new Date(), (work) => acceptInvitation(work, accountId));
    actors.push({ employeeId: id, caller: callerFor(run, accountId, held, roles) });
  }
  return actors;
}

function callerFor(
  run: SeedRun,
  sub: string,
  roles: readonly string[],
  all: Awaited<ReturnType<typeof readHospitalRoles>>,
): Caller {
  const granted = all
    .filter(({ name }) => roles.includes(name))
    .flatMap(({ permissions, withheld }) => permissions.filter((permission) => !withheld.includes(permission)));
  return {
    ...{ sub, email: undefined, name: undefined, roles, permissions: new Set(granted), hospital: run.options.hospital },
    ...{ session: undefined, issuedAt: new Date(), expiresAt: new Date(8.64e15) },
  };
}

function named(name: string): Pick<Post, 'firstName' | 'lastName'> {
  const [firstName = '', lastName = ''] = name.split(' ');
  return { firstName, lastName };
}
