/**
 * The JSON schemas of all kinds of a cluster, for kubeconform: the API server's description on standard
 * input (`kubectl get --raw /openapi/v2`) becomes one file per kind in the folder of the first argument. Objects
 * accept only known fields, like the published schemas for `-strict`.
 */
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('name the folder for the schemas: node test/chart/schemas.ts <folder>');
const { definitions = {} } = JSON.parse(await text(process.stdin)) as { definitions?: Record<string, Schema> };
fs.mkdirSync(folder, { recursive: true });
let written = 0;
for (const [name, definition] of Object.entries(definitions)) {
  for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? []) {
    const file = [kind, group.split('.')[0], version].filter(Boolean).join('-').toLowerCase();
    const whole = { ...strict(definition), definitions: Object.fromEntries(reached(name)) };
    fs.writeFileSync(path.join(folder, `${file}.json`), JSON.stringify(whole));
    written += 1;
  }
}
if (written === 0) throw new Error('standard input describes no kinds: pipe `kubectl get --raw /openapi/v2` into it');
process.stdout.write(`${written} schemas\n`);

/** The definitions that one references, directly or indirectly. */
function reached(start: string): Map<string, object> {
  const found = new Map<string, object>();
  const queue = [start];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const definition = definitions[name];
    if (!definition || found.has(name)) continue;
    found.set(name, strict(definition, name));
    for (const [, next = ''] of JSON.stringify(definition).matchAll(/"#\/definitions\/([^"]+)"/g)) queue.push(next);
  }
  return found;
}

function strict(schema: Schema, name = ''): object {
  // The API server also accepts numbers, but declares `string`.
  if (schema.format === 'int-or-string' || name.endsWith('.resource.Quantity')) return { type: ['string', 'number'] };
  const { properties, items, additionalProperties: others, ...rest } = schema;
  const isClosed = properties && others === undefined && !schema['x-kubernetes-preserve-unknown-fields'];
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, strict(each)])),
    }),
    ...(items && { items: strict(items) }),
    ...(typeof others === 'object' ? { additionalProperties: strict(others) } : { additionalProperties: others }),
    ...(isClosed && { additionalProperties: false }),
  };
}
