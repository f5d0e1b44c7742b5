/**
 * Hostile texts in every field of every route that takes a text: in paths, queries, headers and bodies. Each is kept and
 * shown as it was sent, or refused with a sentence that names the field.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { BUILT_MODULES, CONSOLE_REALM, hospitalNames, PERMISSIONS, type Permission, processNames } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hmsctl } from '../../cli/src/testing.ts';
import {
  bodyWith,
  longest,
  type Operation,
  operations,
  queryOf,
  type TextField,
  takes,
  textFields,
} from '../openapi/fields.ts';
import { platform } from '../platform.ts';
import { Scene, scriptsIn, visit } from '../support/browser.ts';
import { displaysOf } from '../support/displays.ts';
import { Engines } from '../support/engines.ts';
import { tokenOf } from '../support/gateway.ts';
import { freshHospital, freshPrefix } from '../support/hospitals.ts';

const SLOW = 300_000;
/** A text of several attacks, for fields that take any text. Short fields get its beginning. */
const MIXED = `'"><b>{{7*7}}\${7*7}'); DROP TABLE patients;-- <img src=x onerror=alert(1)>../../etc/passwd`;
const HOSTILE: Readonly<Record<string, string>> = {
  SQL: `x' OR '1'='1`,
  script: `"><script>alert(1)</script>`,
  template: `{{7*7}}\${7*7}#{7*7}<%= 7*7 %>`,
  traversal: '../../../../etc/passwd',
  'null byte': 'a\u0000b',
  'right-to-left override': 'a\u202eb',
  header: 'a\r\nX-Injected: 1',
};
/** In a query. Nothing has it, so nothing may be found. */
const ALL = `nobody' OR 'a'='a`;
/** Refusals with 400 that are not about the form of a field. */
const RULES = ['WRONG_PASSWORD', 'WEAK_PASSWORD', 'EXPIRED_TOKEN'];
/** For fields that take no free text. */
const FEW = ['SQL', 'null byte'];
/** Longer than any text of a path, a query or a header. */
const LONG = 2_000;
/** Files are longer than what is sent here. */
const LONGEST = 100_000;
/** Records that are tried for a step, because each is possible in some states only. */
const TRIES = 60;
/** Requests at a time. */
const LANES = 4;

const engines = new Engines(platform());
const all = await operations();
const tokens = new Map<string, Promise<string>>();
/** Fields of bodies that take any text, and what was wrong if none was accepted and shown as it was sent. */
const unreached = new Map<string, string>();
let prefix: string;
/** The hospital that the console changes and suspends. */
let managed: string;
let before: Shape;

interface Shape {
  readonly columns: readonly string[];
  readonly patients: number;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly data: unknown;
  readonly total: number | undefined;
}

beforeAll(async () => {
  const [own, other] = await Promise.all([freshHospital(), freshHospital()]);
  prefix = own.metadata.name;
  managed = other.metadata.name;
  const args = ['seed', '--hospital', prefix, '--patients', '60', '--days', '4', '--documents', '0'];
  const seeded = await hmsctl(args, { env: { HMS_DATA_DIR: platform().dataDir } });
  expect([seeded.code, seeded.code === 0 ? '' : seeded.stderr]).toEqual([0, '']);
  await known.read();
  const { begin, pair } = displaysOf(prefix);
  await pair((await begin()).userCode, await tokenFor('displays.write'), String(known.value('clinicId')));
  // Whom somebody of the platform may act as.
  await tokenOf(prefix, 'NURSE');
  await receiveSpecimens();
  await issueInvoices();
  before = await shape();
}, SLOW);
afterAll(() => engines.close());

describe.each(BUILT_MODULES.map(({ name }) => name))('%s', (module) => {
  it(
    'keeps hostile texts as they are, or names the field that has one',
    async () => {
      const fields = all.filter((one) => one.module === module).flatMap(textFields);
      expect(fields.length).toBeGreaterThan(10);
      const problems: string[] = [];
      const waiting = fields.toSorted((one, other) => rank(one.operation) - rank(other.operation));
      const lane = async () => {
        for (let field = waiting.shift(); field; field = waiting.shift()) problems.push(...(await attack(field)));
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      expect(problems).toEqual([]);
    },
    SLOW,
  );
});

it('has reached every field of a body that takes any text', () => {
  const excepted = Object.values(NEVER_SHOWN).flat();
  expect([...unreached].filter(([name]) => !excepted.includes(name)).map((one) => one.join(': '))).toEqual([]);
  expect(excepted.filter((name) => !unreached.has(name))).toEqual([]);
});

/** Pages of the portal with records that somebody has written, and where the records are read. */
const PAGES: readonly (readonly [string, string?])[] = [
  ['/patients', '/api/hms/patients'],
  ['/employees', '/api/hms/employees'],
  ['/departments', '/api/hms/departments'],
  ['/clinics', '/api/hms/clinics'],
  ['/rooms', '/api/hms/rooms'],
  ['/visit-types', '/api/queue/visit-types'],
  ['/notices', '/api/hms/notices'],
  ['/drugs', '/api/hms/drugs'],
  ['/interactions', '/api/hms/drug-interactions'],
  ['/lab-tests', '/api/hms/lab-tests'],
  ['/lab-panels', '/api/hms/lab-panels'],
  ['/laboratory', '/api/hms/lab-orders'],
  ['/prescriptions', '/api/hms/prescriptions'],
  ['/vip-tiers', '/api/crm/vip-tiers'],
  ['/visitor-bans', '/api/crm/visitor-bans'],
  ['/displays', '/api/auth/displays'],
  ...['/visitors', '/vip', '/stock', '/schedules', '/appointments', '/waiting-list', '/queue'].map(
    (one) => [one] as const,
  ),
  ...['/audit', '/roles', '/support-access'].map((one) => [one] as const),
];

it(
  'is shown as text by the pages of the portal',
  async () => {
    const scene = await Scene.at(prefix);
    try {
      const page = await scene.loggedIn('OWNER');
      const scripts = scriptsIn(page);
      const hostile: string[] = [];
      const open = async (path: string) => {
        await visit(page, `${scene.origin}${path}`);
        if (((await page.locator('main').textContent()) ?? '').includes('{{7*7}}')) hostile.push(path);
      };
      for (const [path, collection] of PAGES) {
        await open(path);
        const [id] = collection === undefined ? [] : await hostileIn(collection);
        if (id !== undefined) await open(`${path}/${id}`);
      }
      expect(scripts).toEqual([]);
      // Where nothing hostile is shown, nothing is tested.
      expect(hostile.length).toBeGreaterThan(PAGES.length / 2);
    } finally {
      await scene.stop();
    }
  },
  SLOW,
);

/** Ids of records that have a hostile text. */
async function hostileIn(collection: string): Promise<readonly string[]> {
  const operation = all.find(({ method, path }) => method === 'GET' && path === collection) as Operation;
  const { data } = await send(operation, `${collection}?limit=100`, { method: 'GET' });
  return (data as readonly { readonly id: string }[])
    .filter((one) => JSON.stringify(one).includes('{{7*7}}'))
    .map(({ id }) => id);
}

it('has changed no table, and lost no patient', async () => {
  const { columns, patients } = await shape();
  expect(columns).toEqual(before.columns);
  expect(patients).toBeGreaterThanOrEqual(before.patients);
});

/** Fields of a hospital whose form its definition says. */
const DEFINED = [
  ...['theme.primaryColor', 'theme.logo', 'theme.favicon', 'timezone', 'currency', 'resyncInterval'],
  ...['owner.email', 'owner.firstName', 'owner.lastName', 'identity.accessTokenLifespan', 'identity.roles.0'],
  ...['gateway.hosts.0', 'gateway.origins.0', 'settings.language', 'settings.country', 'settings.phone'],
  ...['settings.registrationNumber', 'settings.taxNumber', 'settings.patientCodeLetters', 'settings.serviceDayStart'],
];

/** Fields of bodies that take any text, and whose answer does not show it. By the reason. */
const NEVER_SHOWN: Readonly<Record<string, readonly string[]>> = {
  'names something that is not there': [
    'POST /api/auth/login body hospital',
    'POST /api/auth/login body email',
    'POST /api/auth/login body username',
    'POST /api/auth/login body password',
    'POST /api/auth/refresh body refreshToken',
    'POST /api/auth/logout body refreshToken',
    'POST /api/auth/password/forgotten body hospital',
    'PUT /api/auth/password body currentPassword',
    'POST /api/auth/impersonations body hospital',
    'POST /api/auth/impersonations/{id}/token body hospital',
    'POST /api/auth/displays/start body hospital',
    'POST /api/auth/displays/token body hospital',
    'POST /api/auth/invitations/read body hospital',
    'POST /api/auth/invitations/read body invitation',
    'POST /api/auth/invitations/accept body hospital',
    'POST /api/auth/invitations/accept body invitation',
    'POST /api/auth/patient-links/read body hospital',
    'POST /api/auth/patient-links/answer body hospital',
    'PUT /api/hms/roles/{name} body withheld.0',
    'POST /api/crm/visitors/scan body code',
    'PUT /api/hms/patients/{id}/documents/{docId} body title',
    'POST /api/hms/patients/{id}/documents/{docId}/withdraw body reason',
  ],
  'is kept in the audit log only': [
    'POST /api/console/platform/migrations/halt body reason',
    'POST /api/console/platform/migrations/resume body reason',
    'POST /api/console/platform/migrations/retry body reason',
  ],
  'has a form that the document does not say': [
    'POST /api/hms/patients/{id}/documents body contentType',
    'POST /api/hms/lab-results/import body csv',
    'POST /api/hms/drug-interactions/import body csv',
    ...['POST /api/report/schedules', 'PUT /api/report/schedules/{id}'].flatMap((operation) => [
      `${operation} body report`,
      `${operation} body groupBy`,
    ]),
    'POST /api/report/exports body measure',
    ...[
      'POST /api/console/hospitals',
      'POST /api/console/hospitals/preview',
      'PUT /api/console/hospitals/{hospital}',
    ].flatMap((operation) => DEFINED.map((field) => `${operation} body ${field}`)),
    'POST /api/console/hospitals body hospitalId',
    'POST /api/console/hospitals/preview body hospitalId',
  ],
  'needs a code, or a record in a state, that this test does not make': [
    'POST /api/auth/invitations/accept body newPassword',
    'POST /api/auth/password/reset body newPassword',
    'POST /api/auth/displays body name',
    'PUT /api/auth/displays/me/report body build',
    'POST /api/hms/lab-orders/{id}/amend body value',
    'POST /api/hms/lab-orders/{id}/amend body reason',
    'POST /api/hms/lab-orders/{id}/amend body note',
    'POST /api/hms/stock-counts/{id}/reject body reason',
    'POST /api/queue/appointments/{id}/check-in body note',
  ],
  'is accepted, and shown elsewhere or nowhere': [
    'POST /api/hms/patient-imports/preview body fileName',
    'PUT /api/auth/password body newPassword',
    'POST /api/hms/lab-orders/{id}/judge body values.0.value',
    'POST /api/hms/prescriptions/check body items.0.instructions',
    'POST /api/hms/prescriptions body overrides.0.finding',
    'POST /api/hms/prescriptions body overrides.0.reason',
    'POST /api/hms/prescriptions/{id}/proposal body items.0.substitute.reason',
    'POST /api/hms/prescriptions/{id}/dispense body items.0.substitute.reason',
    'POST /api/hms/prescriptions/{id}/dispense body overrides.0.finding',
    'POST /api/hms/prescriptions/{id}/dispense body overrides.0.reason',
    'POST /api/hms/dispenses/{id}/return body reason',
    'POST /api/hms/stock-batches/{id}/receive body reason',
    'POST /api/hms/stock-batches/{id}/adjust body reason',
    'POST /api/hms/stock-batches/{id}/transfer body reason',
    'POST /api/hms/stock-batches/{id}/transfer body location',
    'POST /api/hms/stock-batches/{id}/discard body reason',
    'POST /api/hms/stock-batches/{id}/release body reason',
    'POST /api/console/hospitals/preview body name',
    'POST /api/console/hospitals/preview body settings.address',
    'POST /api/console/hospitals/{hospital}/suspend body reason',
    'POST /api/console/hospitals/{hospital}/resume body reason',
  ],
};

/** Lists come before what changes records. */
function rank({ method, path }: Operation): number {
  return method === 'GET' ? 0 : method === 'POST' && !path.includes('{id}') ? 1 : method === 'PUT' ? 2 : 3;
}

const nameOf = ({ operation: { method, path }, place, keys }: TextField) =>
  `${method} ${path} ${place} ${keys.join('.')}`;
const mixedFor = (field: TextField) => MIXED.slice(0, longest(field)).trim();

/** Sends each hostile text in one field. @returns a sentence for each answer that is wrong. */
async function attack(field: TextField): Promise<readonly string[]> {
  const isFree = takes(field, mixedFor(field));
  const texts = Object.entries(HOSTILE).filter(([kind]) => isFree || FEW.includes(kind));
  const tooLong = (longest(field) ?? LONG) + 1;
  if (tooLong < LONGEST) texts.push(['long text', 'x'.repeat(tooLong)]);
  if (field.place === 'query') texts.push(['search', ALL]);
  const found: string[] = [];
  const judge = (kind: string, text: string, answer: Answer) => {
    const problem = problemOf(field, text, answer);
    if (problem) found.push(`${nameOf(field)}, ${kind}: ${problem}: ${answer.status} ${answer.text.slice(0, 300)}`);
  };
  let path = pathWith(field.operation);
  if (isFree) {
    const accepted = await whereAccepted(field);
    path = accepted.path;
    judge('mixed', mixedFor(field), accepted.answer);
  }
  for (const [kind, text] of texts) {
    if (field.place === 'header' && /[^ -~]/.test(text)) continue;
    judge(kind, text, await ask(field, text, path));
  }
  return found;
}

/** Tries records until one is in a state in which the request is accepted. */
async function whereAccepted(field: TextField) {
  const text = mixedFor(field);
  const known = field.place === 'body' ? await pathsOf(field.operation) : [pathWith(field.operation)];
  // Another patient may be free of what refused the one before.
  const paths = known.length === 1 ? known.flatMap((one) => Array.from({ length: 8 }, () => one)) : known;
  let path = paths[0] ?? '';
  let answer = await ask(field, text, path);
  for (const other of paths.slice(1, TRIES)) {
    if (answer.status < 400) break;
    path = other;
    answer = await ask(field, text, path);
  }
  const isKept = answer.status < 300 && isShown(field, text, answer);
  if (field.place === 'body' && !isKept) unreached.set(nameOf(field), `${answer.status} ${answer.text.slice(0, 400)}`);
  return { path, answer };
}

function problemOf(field: TextField, text: string, answer: Answer): string | undefined {
  const { status, headers, total = 0 } = answer;
  if (status >= 500) return 'is an error of the server';
  if (headers.has('X-Injected')) return 'sets a header';
  const isRule = RULES.some((code) => answer.text.includes(`"${code}"`));
  if (status === 400 && !isRule && !answer.text.includes(String(field.keys[0]))) return 'does not name the field';
  if (status >= 300) return undefined;
  const shown = at(answer.data, field.keys);
  // A step answers with the record, which may have another field of that name.
  const isStep = /\{(?:id|hospital)\}\//.test(field.operation.path);
  if (field.place === 'body' && !isStep && typeof shown === 'string' && shown !== text) return `shows ${shown}`;
  if (field.place === 'query' && text === ALL && total > 0) return `finds ${total} records`;
  return undefined;
}

/** Whether the text is in the answer. Some have it under another name, such as `cancelReason`. */
function isShown({ keys }: TextField, text: string, { data }: Answer): boolean {
  return at(data, keys) === text || JSON.stringify(data ?? null).includes(JSON.stringify(text));
}

function at(data: unknown, keys: TextField['keys']): unknown {
  return keys.reduce<unknown>((part, key) => (part as Record<string, unknown> | null | undefined)?.[key], data);
}

/** Sends a request with a text in one field, and valid values elsewhere. */
async function ask({ operation, place, keys }: TextField, text: string, path: string): Promise<Answer> {
  const name = String(keys[0]);
  const { method, body: schema } = operation;
  const record = await known.of(path, operation);
  const slot = path.startsWith('/api/queue/appointments') && method === 'POST' ? known.slots.pop() : undefined;
  const own = (wanted: string) =>
    slot?.[wanted as keyof typeof slot] ?? record(wanted) ?? known.value(wanted, operation, keys);
  const body = schema && bodyWith(schema, place === 'body' ? keys : [], place === 'body' ? text : undefined, own);
  const query = new URLSearchParams({ ...queryOf(operation, own), ...(place === 'query' ? { [name]: text } : {}) });
  const target = place === 'path' ? pathWith(operation, name, text) : path;
  return send(operation, `${target}?${query}`, {
    method,
    headers: { 'content-type': 'application/json', ...(place === 'header' ? { [name]: text } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function send(operation: Operation, path: string, { headers, ...init }: RequestInit): Promise<Answer> {
  const stop = new AbortController();
  const { module, isPublic, isStream, permission } = operation;
  const answer = await fetch(`${urlOf(module)}${path}`, {
    ...init,
    signal: stop.signal,
    headers: {
      ...(headers as Record<string, string>),
      // Modules limit logins by network.
      'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.9`,
      ...(isPublic ? {} : { authorization: `Bearer ${await tokenFor(permission)}` }),
    },
  });
  const isEndless = isStream && answer.ok;
  // A body that is too large is not read to its end, so the connection may close before the answer is read.
  const text = isEndless ? '' : await answer.text().catch((error: unknown) => String(error));
  if (isEndless) stop.abort();
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  const { data, meta } = isJson && text.startsWith('{') ? JSON.parse(text) : {};
  return { status: answer.status, headers: answer.headers, text, data, total: meta?.total };
}

function urlOf(module: string): string {
  const [process] = processNames(BUILT_MODULES.find(({ name }) => name === module) as (typeof BUILT_MODULES)[number]);
  return `http://127.0.0.1:${platform().ports[process as keyof ReturnType<typeof platform>['ports']]}`;
}

/** A token of somebody who has the permission. */
function tokenFor(permission: string | undefined): Promise<string> {
  const role = PERMISSIONS[permission as Permission]?.roles[0] ?? 'OWNER';
  const realm = role.startsWith('PLATFORM_') ? CONSOLE_REALM : prefix;
  const token = tokens.get(role) ?? tokenOf(realm, role);
  tokens.set(role, token);
  return token;
}

/** The path with a text in one parameter, and with ids of nothing in the others. */
function pathWith({ path, parameters }: Operation, name = '', text = ''): string {
  const others = (own: string) => {
    if (own === 'hospital') return managed;
    return parameters.some((one) => one.name === own && one.schema.format === undefined) ? 'NURSE' : randomUUID();
  };
  return path.replaceAll(/\{(\w+)\}/g, (_, own: string) => encodeURIComponent(own === name ? text : others(own)));
}

/** The path for each record that the hospital has. */
async function pathsOf(operation: Operation): Promise<readonly string[]> {
  const [collection = '', ...rest] = operation.path.split(/\/\{\w+\}/);
  if (rest.length === 0) return [operation.path];
  if (!operation.parameters.some(({ in: place, schema }) => place === 'path' && schema.format))
    return [pathWith(operation)];
  if (operation.path.includes('{clinicId}'))
    return [operation.path.replace('{clinicId}', String(known.value('clinicId')))];
  const ids = await idsIn(collection);
  // What this test has created comes first.
  return ids.length > 0
    ? ids.map((id) => `${collection}/${id}${rest.join(`/${randomUUID()}`)}`)
    : [pathWith(operation)];
}

async function idsIn(collection: string, query = ''): Promise<readonly string[]> {
  const operation = all.find(({ method, path }) => method === 'GET' && path === collection);
  if (!operation) return [];
  const { data } = await send(operation, `${collection}?limit=100${query}`, { method: 'GET' });
  // Templates of other tests and of the platform are left alone.
  const own = (data as readonly Readonly<Record<string, unknown>>[]).filter(
    ({ name }) => operation.module !== CONSOLE_REALM || name === 'INJECTED',
  );
  return own.map(({ id }) => String(id));
}

/** Records of the hospital, as other records refer to them by the name of a field. */
const known = {
  ids: new Map<string, readonly string[]>(),
  slots: [] as { readonly doctorId: string; readonly startsAt: string }[],
  count: 0,

  async read(): Promise<void> {
    for (const [name, collection, query] of REFERENCES) this.ids.set(name, await idsIn(collection, query));
    for (const doctorId of this.ids.get('doctor') ?? []) {
      const operation = all.find(({ path }) => path === '/api/queue/slots') as Operation;
      const path = `/api/queue/slots?doctorId=${doctorId}&days=14&onlyFree=true`;
      const { data } = await send(operation, path, { method: 'GET' });
      const free = data as readonly { readonly startsAt: string }[];
      this.slots.push(...free.map(({ startsAt }) => ({ doctorId, startsAt })));
    }
  },

  /** What the record in a path consists of, such as the items of an order. */
  async of(path: string, { module, body }: Operation): Promise<(name: string) => unknown> {
    const [, record] = /^(\/api\/\w+\/[\w-]+\/[0-9a-f-]{36})\/[\w-]+$/.exec(path) ?? [];
    const operation = all.find(
      (one) => one.module === module && one.method === 'GET' && one.path === record?.replace(/[^/]+$/, '{id}'),
    );
    if (!body || !record || !operation) return () => undefined;
    const { data } = await send(operation, record, { method: 'GET' });
    return (name) => {
      const [, part] = /^(item|specimen|result|line)Ids?$/.exec(name) ?? [];
      const [first] = (data as Readonly<Record<string, Parts>> | undefined)?.[`${part}s`] ?? [];
      return first && name.endsWith('s') ? [first.id] : first?.id;
    };
  },

  value(name: string, operation?: Operation, keys: TextField['keys'] = []): unknown {
    this.count += 1;
    const fixed = FIXED[name];
    if (fixed !== undefined) return fixed;
    if (name === 'clinics') return this.value('clinicId');
    if (name === 'valueType') return keys[0] === 'options' ? 'coded' : 'numeric';
    if (name === 'currentPassword') return platform().demonstrationPassword;
    if (name === 'hospital') return prefix;
    if (name === 'prefix') return freshPrefix();
    if (name === 'email')
      return operation?.module === 'auth' ? `nurse@${prefix}.example` : `p${this.count}@${prefix}.example`;
    const found = this.ids.get(name.replace(/Ids?$/, ''));
    return found && (name.endsWith('Ids') ? [found[this.count % found.length]] : found[this.count % found.length]);
  },
};

/** Orders whose results can be entered, and whose specimens can be rejected. Their test takes any text. */
async function receiveSpecimens(): Promise<void> {
  const test = await create('/api/hms/lab-tests', {
    code: 'NOTE',
    name: 'Note',
    specimenType: 'Serum',
    valueType: 'text',
  });
  await create('/api/hms/lab-tests/{id}/activate', {}, test.id);
  known.ids.set('test', [test.id]);
  for (const patientId of known.ids.get('patient')?.slice(0, 4) ?? []) {
    const { id } = await create('/api/hms/lab-orders', { patientId, testIds: [test.id] });
    for (const step of ['collect', 'receive']) await create(`/api/hms/lab-orders/{id}/${step}`, {}, id);
  }
}

/** An item of the price list, and invoices that a payment of 1 pays. */
async function issueInvoices(): Promise<void> {
  const item = await create('/api/payment/price-items', { code: 'OWN-1', name: 'Visit', itemGroup: 'consultation' });
  known.ids.set('item', [item.id]);
  for (const patientId of known.ids.get('patient')?.slice(0, 4) ?? []) {
    const lines = [{ description: 'Visit', unitPrice: 1 }];
    const { id } = await create('/api/payment/invoices', { patientId, lines });
    await create('/api/payment/invoices/{id}/issue', {}, id);
  }
}

async function create(path: string, body: object, id = ''): Promise<{ readonly id: string }> {
  const operation = all.find((one) => one.method === 'POST' && one.path === path) as Operation;
  const headers = { 'content-type': 'application/json' };
  const answer = await send(operation, path.replace('{id}', id), {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect([path, answer.status, answer.status < 300 ? '' : answer.text]).toEqual([path, expect.any(Number), '']);
  return answer.data as { readonly id: string };
}

type Parts = readonly { readonly id: string }[];

const FIXED: Readonly<Record<string, unknown>> = {
  roles: ['NURSE'],
  dateOfBirth: '1990-05-17',
  endTime: '17:00',
  contentType: 'application/pdf',
  value: '5',
  report: 'revenue',
  groupBy: 'day',
  csv: 'firstName,lastName,phone,dateOfBirth\nAnn,Lee,+353861234567,1990-05-17',
  content: Buffer.from('firstName,lastName,phone,dateOfBirth\nAnn,Lee,+353861234567,1990-05-17').toString('base64'),
};

const REFERENCES = [
  ['patient', '/api/hms/patients', ''],
  ['primaryContact', '/api/hms/patients', ''],
  ['into', '/api/hms/patients', ''],
  ['department', '/api/hms/departments', ''],
  ['doctor', '/api/hms/employees', '&role=DOCTOR'],
  ['recipient', '/api/hms/employees', '&role=ACCOUNTANT'],
  ['clinic', '/api/hms/clinics', ''],
  ['room', '/api/hms/rooms', ''],
  ['test', '/api/hms/lab-tests', ''],
  ['drug', '/api/hms/drugs', ''],
  ['batch', '/api/hms/stock-batches', ''],
  ['tier', '/api/crm/vip-tiers', ''],
] as const;

async function shape(): Promise<Shape> {
  const { schema } = hospitalNames(prefix);
  const { rows } = await engines.db.raw<{ rows: { column: string }[] }>(
    `SELECT table_name || '.' || column_name || ' ' || data_type AS column FROM information_schema.columns
     WHERE table_schema = ? ORDER BY 1`,
    [schema],
  );
  const [counted] = await engines.db.withSchema(schema).from('patients').count<{ count: string }[]>();
  return { columns: rows.map(({ column }) => column), patients: Number(counted?.count) };
}
