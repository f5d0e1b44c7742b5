/** Whatever the modules and Keycloak record has a sentence in each language, and each field that changes has a name. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LOGIN_TYPES } from '../../../../services/auth/src/identity-events/events.ts';
import { ACTIONS } from './actions.ts';
import { type Happened, sentenceOf } from './sentence.ts';
import { TABLES } from './tables.ts';
import ar from './words/events/ar.ts';
import en from './words/events/en.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const languages = { en, ar };

interface Declared {
  readonly table: string;
  readonly columns: readonly { readonly field: string }[];
  readonly states?: object;
}

const sources = fs
  .globSync('{packages/{domain,service},services/{auth,hms,crm,payment,queue,report}}/src/**/*.ts', { cwd: ROOT })
  .filter((file) => !/\.test\.ts$|testing/.test(file))
  .map((file) => path.join(ROOT, file));

/** Every record that is declared in the domain. */
const declared: readonly Declared[] = (
  await Promise.all(
    sources
      .filter((file) => file.includes('/domain/') && /\brecord\('/.test(fs.readFileSync(file, 'utf8')))
      .map(async (file) => Object.values((await import(file)) as Record<string, unknown>)),
  )
)
  .flat()
  .filter(
    (value): value is Declared => typeof value === 'object' && value !== null && 'table' in value && 'columns' in value,
  );

/** Tables that a module names itself when it records an event. */
const named = sources.flatMap((file) =>
  [...fs.readFileSync(file, 'utf8').matchAll(/action: '\w[\w.]*'[^}]*?record: '([a-z_]+)'/g)].map(
    ([, table = '']) => table,
  ),
);
const tables = [...new Set([...declared.map(({ table }) => table), ...named])];

function textOf(words: object, key: string): string | undefined {
  const [group = '', name = '', ...rest] = key.replace(/^audit\./, '').split('.');
  const node = (words as Record<string, Record<string, unknown>>)[group]?.[name];
  if (typeof node === 'string') return node;
  return (node as Record<string, string> | undefined)?.[rest.join('.')];
}

/** The sentence in a language, with its values. */
function said(words: typeof en, event: Happened): string {
  const { keys, values } = sentenceOf(event);
  const first = (options: readonly string[]) => options.map((key) => textOf(words.audit, key)).find(Boolean);
  const filled = (first(keys) ?? '').replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    if (name === 'who' || name === 'by') return name;
    // Not the word that stands for what has none.
    return first((values[name] ?? []).filter((key) => !key.endsWith('.other'))) ?? '';
  });
  return filled;
}

const isWhole = (sentence: string) => /\bwho\b/.test(sentence) && !/ {2}|[“«][”»]|[ :]$/.test(sentence);

describe.each(Object.entries(languages))('in %s', (_, words) => {
  const unnamed = (events: readonly Happened[]) => events.filter((event) => !isWhole(said(words, event)));

  it('each action on each kind of record has a sentence', () => {
    expect(tables.length).toBeGreaterThan(45);
    const actions = ['create', 'read', 'list', 'update', 'delete', 'restore', 'invite', 'overrule'];
    expect(unnamed(tables.flatMap((record) => actions.map((action) => ({ action, record }))))).toEqual([]);
  });

  it('each state that a record comes into has a sentence', () => {
    const events = declared.flatMap(({ table, states = {} }) =>
      Object.keys(states).map((status) => ({ action: 'transition', record: table, after: { status } })),
    );
    expect(events.length).toBeGreaterThan(80);
    expect(unnamed(events)).toEqual([]);
  });

  it('each action by itself has a sentence and a name in the filter', () => {
    const event = { record: 'patients', after: { status: 'merged' }, details: { code: 'PATIENT_DELETED' } };
    expect(unnamed(ACTIONS.map((action) => ({ ...event, action })))).toEqual([]);
    expect(Object.keys(words.audit.action).sort()).toEqual([...ACTIONS].sort());
  });

  it('each event and each kind of change in Keycloak has a sentence', () => {
    const events = LOGIN_TYPES.map((event) => ({
      action: 'update',
      record: 'accounts',
      details: { event, error: 'invalid_user_credentials' },
    }));
    const changes = Object.keys(words.audit.keycloak).flatMap((operation) =>
      KEYCLOAK_RESOURCES.map((resource) => ({ action: 'update', record: 'realm', details: { operation, resource } })),
    );
    expect(unnamed([...events, ...changes])).toEqual([]);
    expect(LOGIN_TYPES.filter((event) => !(event in words.audit.account))).toEqual([]);
  });

  it('each field that can change has a name', () => {
    const fields = new Set(declared.flatMap(({ columns }) => columns.map(({ field }) => field)));
    expect([...fields].filter((field) => !HIDDEN.has(field) && !(field in words.audit.field))).toEqual([]);
  });

  it('each table is offered by the filter', () => {
    expect(tables.filter((table) => !(TABLES as readonly string[]).includes(table))).toEqual([]);
    expect(Object.keys(words.audit.a).filter((table) => table !== 'other')).toEqual(Object.keys(words.audit.table));
  });
});

it('names the code of a refusal and the cause of a failed login', () => {
  const refusal = { action: 'refuse', record: '/api/hms/patients', details: { code: 'PATIENT_DELETED' } };
  expect(Object.values(sentenceOf(refusal).values).flat()).toContain('error.code.PATIENT_DELETED');
  const failure = {
    action: 'login.failed',
    record: 'accounts',
    details: { event: 'LOGIN_ERROR', error: 'user_disabled' },
  };
  expect(said(en, failure)).toBe('who failed to log in: the account is closed');
});

it('tells a look at the audit log from a file of it', () => {
  const look = { action: 'list', record: 'audit_events' };
  expect(said(en, look)).toBe('who looked at the audit log');
  expect(said(en, { ...look, details: { export: true } })).toBe('who saved the audit log as a file');
});

/** What the page leaves out. */
const HIDDEN = new Set(['id', 'hospitalId', 'patientId', 'version', 'sha256', 'createdAt', 'updatedAt', 'deletedAt']);

/** The kinds of Keycloak 26.7, as the events of its administrators name them. */
const KEYCLOAK_RESOURCES = [
  ...['REALM', 'REALM_ROLE', 'REALM_ROLE_MAPPING', 'REALM_SCOPE_MAPPING', 'AUTH_FLOW', 'AUTH_EXECUTION_FLOW'],
  ...['AUTH_EXECUTION', 'AUTHENTICATOR_CONFIG', 'REQUIRED_ACTION_CONFIG', 'REQUIRED_ACTION', 'IDENTITY_PROVIDER'],
  ...['IDENTITY_PROVIDER_MAPPER', 'PROTOCOL_MAPPER', 'USER', 'USER_LOGIN_FAILURE', 'USER_SESSION', 'USER_PROFILE'],
  ...['USER_FEDERATION_PROVIDER', 'USER_FEDERATION_MAPPER', 'GROUP', 'GROUP_MEMBERSHIP', 'CLIENT'],
  ...['CLIENT_INITIAL_ACCESS_MODEL', 'CLIENT_ROLE', 'CLIENT_ROLE_MAPPING', 'CLIENT_SCOPE', 'CLIENT_SCOPE_MAPPING'],
  ...['CLIENT_SCOPE_CLIENT_MAPPING', 'CLUSTER_NODE', 'COMPONENT', 'AUTHORIZATION_RESOURCE_SERVER'],
  ...['AUTHORIZATION_RESOURCE', 'AUTHORIZATION_SCOPE', 'AUTHORIZATION_POLICY', 'CUSTOM', 'ORGANIZATION'],
  ...['ORGANIZATION_MEMBERSHIP', 'ORGANIZATION_GROUP', 'ORGANIZATION_GROUP_MEMBERSHIP'],
];
