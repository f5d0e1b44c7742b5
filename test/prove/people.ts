/** A hospital with its people, and two processes' worth of the modules hms and queue that share one database. */
import { randomUUID } from 'node:crypto';
import type { Drug } from '@hms/domain/drugs';
import type { ShownOrder } from '@hms/domain/lab-orders';
import type { LabTestWithRanges } from '@hms/domain/lab-tests';
import type { Patient } from '@hms/domain/patients';
import type { Batch } from '@hms/domain/stock';
import {
  createTestHospital,
  startTestModule,
  type TestAnswer,
  type TestHospital,
  type TestModule,
} from '@hms/service/testing';
import { hmsModule } from '../../services/hms/src/module.ts';
import { queueModule } from '../../services/queue/src/module.ts';
import { platform } from '../platform.ts';

export type Role = 'ADMIN' | 'DOCTOR' | 'LAB_TECH' | 'NURSE' | 'PHARMACIST';
type Served = 'hms' | 'queue';
const DEFINITIONS = { hms: hmsModule, queue: queueModule };

/** Requests go to both processes of a module in turn. */
export class People {
  readonly hospital: TestHospital;
  readonly #modules: Readonly<Record<Served, readonly TestModule[]>>;
  readonly #tokens = new Map<string, Promise<string>>();
  #turn = 0;

  private constructor(hospital: TestHospital, modules: Readonly<Record<Served, readonly TestModule[]>>) {
    this.hospital = hospital;
    this.#modules = modules;
  }

  static async start(): Promise<People> {
    const { databaseUrls } = platform();
    const first = await startTestModule({ databaseUrls, define: hmsModule });
    const more = (name: Served) => startTestModule({ databaseUrls, define: DEFINITIONS[name], identity: first.issuer });
    const modules = { hms: [first, await more('hms')], queue: [await more('queue'), await more('queue')] };
    return new People(await createTestHospital(first.operator, first.issuer), modules);
  }

  async end(): Promise<void> {
    const { hms, queue } = this.#modules;
    for (const module of [...hms, ...queue].toReversed()) await module.close();
  }

  /** @param path behind `/api/hms/`, or the whole path. @param who tells people with the same role apart. */
  async send(role: Role, method: string, path: string, body?: object, who = ''): Promise<TestAnswer> {
    const key = `${role}${who}`;
    const known = this.#tokens.get(key) ?? this.hospital.token([role], { claims: { sub: randomUUID() } });
    this.#tokens.set(key, known);
    const whole = path.startsWith('/') ? path : `/api/hms/${path}`;
    const processes = this.#modules[whole.startsWith('/api/queue/') ? 'queue' : 'hms'];
    const module = processes[this.#turn++ % processes.length] as TestModule;
    return module.send(method, whole, { token: await known, ...(body ? { body } : {}) });
  }

  /** What a request must answer that only prepares a scenario. @throws Error if it is refused. */
  async do<T>(role: Role, path: string, body: object = {}, who = ''): Promise<T> {
    const answer = await this.send(role, 'POST', path, body, who);
    if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status} ${answer.error?.code}`);
    return answer.data<T>();
  }

  /** Rows of the hospital's schema, which `@` stands for. */
  async rows<T>(sql: string, values: readonly unknown[] = []): Promise<readonly T[]> {
    const [first] = this.#modules.hms;
    const schema = `h_${this.hospital.hospital.prefix.replaceAll('-', '_')}.`;
    const { rows } = await (first as TestModule).operator.raw<{ rows: T[] }>(sql.replaceAll('@', schema), [
      ...values,
    ] as never);
    return rows;
  }
}

let names = 0;
const unique = (text: string) => {
  names += 1;
  return `${text} ${names}`;
};

export const newPatient = () => {
  return { firstName: 'Jane', lastName: unique('Doe'), phone: '+353861234567', dateOfBirth: '1990-05-17' };
};

export const aPatient = (people: People) => people.do<Patient>('DOCTOR', 'patients', newPatient());

export async function stocked(
  people: People,
  quantity: number,
): Promise<{ readonly drug: Drug; readonly batch: Batch }> {
  const name = unique('Drug');
  const drug = await people.do<Drug>('PHARMACIST', 'drugs', {
    ...{ code: name, name, ingredients: [name], form: 'Tablet', unit: 'tablet' },
  });
  const expiresOn = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10);
  const batch = { drugId: drug.id, batchNo: unique('B'), expiresOn, quantity };
  return { drug, batch: await people.do<Batch>('PHARMACIST', 'stock-batches', batch) };
}

export const prescription = (
  people: People,
  { id: patientId }: Pick<Patient, 'id'>,
  { id: drugId }: Pick<Drug, 'id'>,
) =>
  people.do<{ readonly id: string }>('DOCTOR', 'prescriptions', {
    patientId,
    items: [{ drugId, dose: 1, timesPerDay: 1, durationDays: 1, quantity: 1 }],
  });

export async function labTest(people: People): Promise<LabTestWithRanges> {
  const code = unique('K');
  const body = { code, name: code, specimenType: 'Serum', valueType: 'numeric', ranges: [{ low: '3.5', high: '5.1' }] };
  const test = await people.do<LabTestWithRanges>('LAB_TECH', 'lab-tests', body);
  return people.do('LAB_TECH', `lab-tests/${test.id}/activate`);
}

/** A collected order of one test, with a result that nobody has verified. */
export async function resulted(people: People, test: LabTestWithRanges): Promise<ShownOrder> {
  const patient = await aPatient(people);
  const { id, items } = await people.do<ShownOrder>('DOCTOR', 'lab-orders', {
    patientId: patient.id,
    testIds: [test.id],
  });
  await people.do('LAB_TECH', `lab-orders/${id}/collect`);
  const results = items.map((item) => ({ itemId: item.id, value: '4' }));
  return people.do('LAB_TECH', `lab-orders/${id}/results`, { results }, ' who enters');
}

export const resultIds = ({ items }: ShownOrder) => items.flatMap(({ result }) => result?.id ?? []);
