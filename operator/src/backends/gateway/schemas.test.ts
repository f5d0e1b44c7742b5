import { describe, expect, it } from '@jest/globals';
import { entity, plugin } from './entities.ts';
import { type Schemas, schemaOf, schemaPaths, wholeDifferences } from './schemas.ts';

/** As Kong publishes them. */
const SCHEMAS: Schemas = new Map([
  [
    'routes',
    schemaOf({
      fields: [
        { id: { type: 'string', auto: true } },
        { methods: { type: 'set', elements: { type: 'string' } } },
        { paths: { type: 'array', elements: { type: 'string' } } },
        { strip_path: { type: 'boolean', default: true } },
        { service: { type: 'foreign' } },
        {
          sticky: {
            type: 'record',
            fields: [{ on: { type: 'boolean', default: false } }, { names: { type: 'array' } }],
          },
        },
      ],
    }),
  ],
  ['plugins', schemaOf({ fields: [{ name: { type: 'string' } }, { protocols: { default: ['http', 'https'] } }] })],
  [
    'plugins/cors',
    schemaOf({
      fields: [
        { protocols: { default: ['http'] } },
        { config: { type: 'record', fields: [{ max_age: { type: 'number' } }, { private: { default: false } }] } },
      ],
    }),
  ],
]);
const route = entity('routes', 'r', { paths: ['/b', '/a'], service: { id: 's' } });
const same = { id: 'x', paths: ['/a', '/b'], service: { id: 's' }, strip_path: true, methods: null };

describe('wholeDifferences', () => {
  it.each<[string, object, string[]]>([
    ['nothing', {}, []],
    ['a field that the schema does not know', { later: true }, []],
    ['an unset record, with its defaults', { sticky: { on: false, names: [] } }, []],
    ['an empty list', { methods: [] }, []],
    ['a reference with more than the id', { service: { id: 's', name: null } }, []],
    ['a default', { strip_path: false }, ['strip_path']],
    ['a list', { methods: ['GET'] }, ['methods']],
    ['a field of a record', { sticky: { on: true } }, ['sticky.on']],
    ['a reference', { service: { id: 't' } }, ['service']],
    ['a set field', { paths: ['/a'] }, ['paths']],
  ])('finds %s', (_, change, fields) => {
    expect(wholeDifferences(route, { ...same, ...change }, SCHEMAS)).toEqual(fields);
  });

  it("prefers a plugin's own defaults to those of all plugins", () => {
    const cors = plugin('x', 'cors', {}, { max_age: 1 }, []);
    const found = { name: 'cors', protocols: ['http'], config: { max_age: 1, private: false, flat_and_deprecated: 1 } };
    expect(wholeDifferences(cors, found, SCHEMAS)).toEqual([]);
    expect(wholeDifferences(cors, { ...found, protocols: ['http', 'https'] }, SCHEMAS)).toEqual(['protocols']);
    expect(schemaPaths([cors, route])).toEqual(['plugins', 'plugins/cors', 'routes']);
  });

  it('returns undefined for a kind without a schema', () => {
    expect(wholeDifferences(entity('acls', 'g', {}), {}, SCHEMAS)).toBeUndefined();
  });
});
