import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_SETTINGS } from '@hms/tenancy';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';

const DEFINITION = join(import.meta.dirname, '..', '..', '..', 'crds', 'hospitals.hms.dev.yaml');
/** Settings without a default. */
const OPTIONAL = ['country', 'address', 'phone', 'registrationNumber', 'taxNumber'];

interface Field {
  readonly default?: unknown;
}

it('the settings of the definition have the defaults that the modules assume', () => {
  const { schema } = parse(readFileSync(DEFINITION, 'utf8')).spec.versions[0];
  const { settings } = schema.openAPIV3Schema.properties.spec.properties;
  const fields = Object.entries<Field>(settings.properties);
  const defaults = fields
    .filter(([, field]) => field.default !== undefined)
    .map(([name, field]) => [name, field.default]);
  expect(Object.fromEntries(defaults)).toEqual(DEFAULT_SETTINGS);
  expect(fields.filter(([, field]) => field.default === undefined).map(([name]) => name)).toEqual(OPTIONAL);
});
