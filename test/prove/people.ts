/** The people of a hospital on the running platform, each with an account of their own. */
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '@hms/database';
import type { Drug } from '@hms/domain/drugs';
import type { ShownOrder } from '@hms/domain/lab-orders';
import type { LabTestWithRanges } from '@hms/domain/lab-tests';
import type { Patient } from '@hms/domain/patients';
import type { Batch } from '@hms/domain/stock';
import { demonstrationSession, type PlatformState, readState } from '@hms/local';
import { send, type TestAnswer } from '@hms/service/testing';
import { hospitalNames } from '@hms/tenancy';
import type { Knex } from 'knex';

export type Role = 'ACCOUNTANT' | 'ADMIN' | 'CASHIER' | 'DOCTOR' | 'LAB_TECH' | 'NURSE' | 'PHARMACIST' | 'RECEPTION';

/** Nothing was changed, and the same request may succeed shortly. */
const BUSY = ['DATABASE_BUSY', 'DATABASE_UNAVAILABLE'];
/** A token that is as old as this part of its life is replaced. */
const USED_UP = 0.5;

interface Session {
  readonly token: string;
  /** `performance.now()` from which another one is needed. */
  readonly until: number;
}

/** What people of one hospital do, each request through the gateway. */
export class People {
  readonly #state: PlatformState;
  readonly #prefix: string;
  readonly #database: Knex;
  readonly set: (setting: string) => void;
  /** Requests that were sent again because the module was too busy. */
  repetitions = 0;
  readonly #sessions = new Map<string, Promise<Session>>();
  /** The module lets few log in at the same time. */
  #logins: Promise<unknown> = Promise.resolve();

  /** @param set adds a line to the hospital's settings, in YAML. */
  constructor(state: PlatformState, prefix: string, set: (setting: string) => void) {
    this.set = set;
    this.#state = state;
    this.#prefix = prefix;
    this.#database = connect(state.databaseUrls.admin, { poolSize: 2, applicationName: 'hms-prove' });
  }

  async end(): Promise<void> {
    await this.#database.destroy();
  }

  /**
   * Sends a request, and sends it again as long as the module is too busy.
   * @param path behind `/api/hms/`, or the whole path. @param who tells people with the same role apart.
   */
  async send(
    role: Role,
    method: string,
    path: string,
    body?: object,
    who = '',
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestAnswer> {
    const whole = path.startsWith('/') ? path : `/api/hms/${path}`;
    const token = await this.#token(role, who);
    for (;;) {
      const answer = await send(this.#state.gateway.proxy, method, whole, {
        token,
        headers,
        ...(body ? { body } : {}),
      });
      if (answer.status !== 503 || !BUSY.includes(answer.error?.code)) return answer;
      this.repetitions += 1;
      await delay(Number(answer.headers.get('retry-after') ?? 1) * 1_000);
    }
  }

  /** What a request must answer that only prepares a scenario. @throws Error if it is refused. */
  async do<T>(role: Role, path: string, body: object = {}, who = ''): Promise<T> {
    const answer = await this.send(role, 'POST', path, body, who);
    if (answer.status >= 300)
      throw new Error(`POST ${path} answered ${answer.status} ${answer.error?.code}: ${answer.error?.message}`);
    return answer.data<T>();
  }

  /** Reads rows of the hospital's schema, which `@` stands for. */
  async rows<T>(sql: string, values: readonly unknown[] = []): Promise<readonly T[]> {
    const { schema } = hospitalNames(this.#prefix);
    const { rows } = await this.#database.raw<{ rows: T[] }>(sql.replaceAll('@', `${schema}.`), [...values] as never);
    return rows;
  }

  /** Kills a process of a module, as a crash does, and waits until another one runs in its place. @returns whether it did. */
  async kill(module: string, index: number): Promise<boolean> {
    const found = () =>
      readState(this.#state.dataDir)?.processes.filter(({ name }) => name.startsWith(`${module}-`))[index];
    const { pid } = found() ?? {};
    if (pid === undefined) return false;
    process.kill(pid, 'SIGKILL');
    for (;;) {
      await delay(100);
      const now = found();
      if (now?.pid !== undefined && now.pid !== pid && now.state === 'running') return true;
    }
  }

  /** A token of the same person, whose account is created if there is none. */
  async #token(role: Role, who: string): Promise<string> {
    const key = `${role}${who}`;
    const known = await this.#sessions.get(key);
    if (known && known.until > performance.now()) return known.token;
    // Others of the same person may be here too: the first of them logs in.
    if (this.#sessions.get(key) === undefined || known) this.#sessions.set(key, this.#login(role, who));
    return ((await this.#sessions.get(key)) as Session).token;
  }

  #login(role: Role, who: string): Promise<Session> {
    const login = this.#logins.then(async () => {
      const since = performance.now();
      const session = await demonstrationSession(this.#state, this.#prefix, role, who.replaceAll(' ', '-'));
      return { token: session.accessToken, until: since + session.expiresIn * 1_000 * USED_UP };
    });
    this.#logins = login;
    return login;
  }
}

let names = 0;
export const unique = (text: string) => {
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
  const body = {
    code,
    name: code,
    specimenType: 'Serum',
    valueType: 'numeric',
    price: 1_000,
    ranges: [{ low: '3.5', high: '5.1' }],
  };
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
