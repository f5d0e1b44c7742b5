import { describe, expect, test } from '@jest/globals';
import { kinds } from '../entities/index.ts';
import { plugins } from '../plugins/index.ts';
import { useEmptyGateway } from '../testing/setup.ts';

const gateway = useEmptyGateway();

type FieldList = Record<string, Record<string, unknown> & { fields?: FieldList }>[];
const field = (list: FieldList, name: string) => list.find((entry) => name in entry)?.[name];

describe('/tags', () => {
  test('lists every tag with its entity, in pages, and the entities of one tag', async () => {
    const { id: a } = await gateway.make('POST', '/services', { name: 'a', host: 'h', tags: ['one', 'two'] });
    const { id: b } = await gateway.make('POST', '/consumers', { username: 'b', tags: ['two'] });
    const rows = [
      { entity_name: 'services', entity_id: a, tag: 'one' },
      { entity_name: 'services', entity_id: a, tag: 'two' },
      { entity_name: 'consumers', entity_id: b, tag: 'two' },
    ];
    const list = (await gateway.admin('GET', '/tags')).json() as { data: object[]; next: null };
    expect(list.next).toBeNull();
    expect(list.data).toHaveLength(3);
    expect(list.data).toEqual(expect.arrayContaining(rows));
    const two = (await gateway.admin('GET', '/tags/two')).json() as { data: object[] };
    expect(two.data).toHaveLength(2);
    expect(two.data).toEqual(expect.arrayContaining(rows.slice(1)));
    expect((await gateway.admin('GET', '/tags/none')).json()).toEqual({ data: [], next: null });
    const paged: object[] = [];
    for (let next: string | null = '/tags?size=1'; next; ) {
      const page = (await gateway.admin('GET', next)).json() as { data: object[]; next: string | null };
      paged.push(...page.data);
      next = page.next;
    }
    expect(paged).toEqual(list.data);
  });

  test.each<[string, object]>([
    ['', { options: { tags: 'cannot be null' } }],
    ['a,b/c', { options: { tags: 'invalid filter syntax' } }],
    ['a,b,c,d,e,f', { options: { tags: 'cannot query more than 5 tags' } }],
  ])('?tags=%s is refused', async (tags, expected) => {
    const answer = await gateway.admin('GET', `/services?tags=${tags}`);
    expect([answer.status, answer.json()]).toMatchObject([400, { code: 11, name: 'invalid options', ...expected }]);
  });
});

test('/endpoints lists existing paths', async () => {
  const { data } = (await gateway.admin('GET', '/endpoints')).json() as { data: string[] };
  expect(data).toEqual([...data].sort());
  expect(data).toEqual(
    expect.arrayContaining([
      '/',
      '/certificates/{certificates}/snis/{snis}',
      '/consumers/{consumers}/jwt/{jwt_secrets}',
      '/routes/{routes}/service',
      '/schemas/plugins/{name}',
      '/upstreams/{upstreams}/targets',
    ]),
  );
  expect(data).not.toContain('/targets');
  for (const path of data) {
    const answer = await gateway.admin('OPTIONS', path.replaceAll(/\{\w+\}/g, 'x'));
    expect(`${path} ${answer.status}`).toBe(`${path} 204`);
  }
});

describe('/schemas', () => {
  test.each(kinds.map((kind) => [kind]))('of %s', async (kind) => {
    const answer = await gateway.admin('GET', `/schemas/${kind}`);
    const { fields, entity_checks: checks } = answer.json() as { fields: FieldList; entity_checks: object[] };
    expect(field(fields, 'id')).toEqual({ type: 'string', uuid: true, auto: true });
    expect(Array.isArray(checks)).toBe(true);
  });

  test.each(plugins.map(({ name }) => [name]))(
    'of the plugin %s: the published defaults are those of an empty configuration',
    async (name) => {
      const { fields } = (await gateway.admin('GET', `/schemas/plugins/${name}`)).json() as { fields: FieldList };
      const config = field(fields, 'config');
      expect(config).toMatchObject({ type: 'record', required: true });
      const needed: Record<string, object> = {
        acl: { allow: ['a'] },
        'ip-restriction': { allow: ['10.0.0.1'] },
        'rate-limiting': { minute: 1 },
      };
      const created = (await gateway.make('POST', '/plugins', { name, config: needed[name] ?? {} })) as unknown as {
        config: object;
      };
      const own = defaults(config?.fields ?? []);
      expect({ ...created.config, ...nulls(needed[name]) }).toEqual({
        ...own,
        ...otherNames((config?.shorthand_fields ?? []) as FieldList, own),
        ...nulls(needed[name]),
      });
    },
  );

  test('use Kong’s terms', async () => {
    const { fields, entity_checks: checks } = (await gateway.admin('GET', '/schemas/services')).json() as {
      fields: FieldList;
      entity_checks: object[];
    };
    expect(field(fields, 'port')).toEqual({ type: 'integer', required: true, default: 80, between: [0, 65535] });
    expect(field(fields, 'protocol')).toMatchObject({
      default: 'http',
      one_of: expect.arrayContaining(['http', 'grpc']),
    });
    expect(field(fields, 'client_certificate')).toEqual({ type: 'foreign', reference: 'certificates' });
    expect(checks).toContainEqual({ conditional: { if_field: 'protocol', then_field: 'tls_verify' } });
    const limits = (await gateway.admin('GET', '/schemas/plugins/rate-limiting')).json() as { fields: FieldList };
    expect(field(field(limits.fields, 'config')?.fields ?? [], 'minute')).toEqual({ type: 'number', gt: 0 });
    const jwt = (await gateway.admin('GET', '/schemas/plugins/jwt')).json() as { fields: FieldList };
    expect(field(jwt.fields, 'consumer')).toMatchObject({ eq: null });
  });

  test.each([
    ['/schemas/vaults', "No entity named 'vaults'"],
    ['/schemas/plugins/magic', "No plugin named 'magic'"],
  ])('%s answers 404', async (path, message) => {
    const answer = await gateway.admin('GET', path);
    expect([answer.status, answer.json()]).toEqual([404, { message }]);
  });
});

describe('validation', () => {
  test.each<[string, object, number]>([
    ['/schemas/services/validate', { name: 'a', host: 'h' }, 200],
    ['/schemas/services/validate', { name: 'a' }, 400],
    ['/schemas/routes/validate', { paths: ['/a'], service: { id: '11111111-2222-4333-8444-555555555555' } }, 200],
    ['/schemas/routes/validate', { paths: ['a'] }, 400],
    ['/schemas/plugins/validate', { name: 'rate-limiting', config: { minute: 1 } }, 200],
    ['/schemas/plugins/validate', { name: 'rate-limiting', config: {} }, 400],
    ['/schemas/plugins/validate', { name: 'magic' }, 400],
    ['/schemas/jwt_secrets/validate', { algorithm: 'RS256', rsa_public_key: 'x' }, 400],
  ])('%s of %j answers %i and stores nothing', async (path, body, status) => {
    const answer = await gateway.admin('POST', path, body);
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject(status === 200 ? { message: 'schema validation successful' } : { code: 2 });
    for (const kind of ['services', 'routes', 'plugins']) {
      expect((await gateway.admin('GET', `/${kind}`)).json()).toEqual({ data: [], next: null });
    }
  });

  test('types the fields of a form', async () => {
    const answer = await gateway.form('POST', '/schemas/plugins/validate', 'name=rate-limiting&config.minute=5');
    expect(answer.status).toBe(200);
  });
});

/** The values of an empty record, as the published fields declare them. */
function defaults(fields: FieldList): Record<string, unknown> {
  return Object.fromEntries(
    fields
      .flatMap(Object.entries)
      .map(([name, published]) => [
        name,
        published.type === 'record' ? defaults(published.fields ?? []) : (published.default ?? null),
      ]),
  );
}

function nulls(values: object = {}): object {
  return Object.fromEntries(Object.keys(values).map((key) => [key, null]));
}

/** The values of shorthand fields, taken from the fields that they stand for. */
function otherNames(list: FieldList, own: Readonly<Record<string, unknown>>): object {
  return Object.assign(
    {},
    ...list.flatMap(Object.entries).map(([name, { translate_backwards: path }]) => {
      const [outer = '', inner = ''] = path as string[];
      return { [name]: (own[outer] as Record<string, unknown>)[inner] };
    }),
  );
}
