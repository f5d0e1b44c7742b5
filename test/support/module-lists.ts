/** The files that list the modules in another language than TypeScript, compared with `packages/tenancy/src/modules.ts`. */
import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DATABASE_ROLES, type Module } from '@hms/tenancy';
import { parse } from 'yaml';

const MANIFEST = 'packages/tenancy/src/modules.ts';
const CRD = 'crds/hospitals.hms.dev.yaml';
const VALUES = 'charts/hms/values.yaml';
const VALUES_SCHEMA = 'charts/hms/values.schema.json';
const LOCK = 'package-lock.json';

/**
 * @param root folder of the project.
 * @param modules all modules of the manifest.
 * @returns a sentence for each difference, which begins with the file to change.
 */
export function listProblems(root: string, modules: readonly Module[]): string[] {
  const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');
  const built = modules.filter(({ processes }) => Object.keys(processes).length > 0).map(({ name }) => name);
  const folders = fs.readdirSync(path.join(root, 'services')).filter((name) => name !== 'gateway');
  const { modules: schema, database } = JSON.parse(read(VALUES_SCHEMA)).properties;
  const values = parse(read(VALUES), { merge: true });
  return [
    ...compared(`${MANIFEST}: modules with processes`, built, folders, 'has no folder in services/'),
    ...definitionProblems(read(CRD), modules),
    ...compared(`${VALUES}: modules`, Object.keys(values.modules), built),
    ...compared(`${VALUES_SCHEMA}: properties of modules`, Object.keys(schema.properties), built),
    ...compared(`${VALUES_SCHEMA}: required modules`, schema.required, built),
    ...roleProblems(modules),
    ...compared(`${VALUES}: database.secret`, Object.keys(values.database.secret), URL_KEYS, NO_ROLE),
    ...compared(
      `${VALUES_SCHEMA}: properties of database.secret`,
      Object.keys(database.properties.secret.properties),
      URL_KEYS,
      NO_ROLE,
    ),
    ...folders.flatMap((name) => {
      const { dependencies } = JSON.parse(read(`services/${name}/package.json`));
      const locked = JSON.parse(read(LOCK)).packages[`services/${name}`];
      const isLocked = JSON.stringify(locked?.dependencies) === JSON.stringify(dependencies);
      return isLocked ? [] : [`${LOCK}: the dependencies of services/${name} differ: run npm install`];
    }),
  ];
}

const NO_ROLE = 'is of no role';
/** Keys of the chart's Secret with the addresses of PostgreSQL, and its name. */
const URL_KEYS = [
  'name',
  ...['operator', 'gateway', ...DATABASE_ROLES.map(({ key }) => (key === 'app' ? 'modules' : key))].map(
    (key) => `${key}UrlKey`,
  ),
];

/** The chart finds the role of a module by the name of the module. */
function roleProblems(modules: readonly Module[]): string[] {
  return modules.flatMap(({ name, databaseRole }) => {
    const own = DATABASE_ROLES.some(({ key }) => key === name) ? name : 'app';
    return databaseRole === own ? [] : [`${MANIFEST}: databaseRole of ${name} must be ${own}, not ${databaseRole}`];
  });
}

/** The rate limits of hospitals, and the names that no hospital may have. */
function definitionProblems(text: string, modules: readonly Module[]): string[] {
  const schema = parse(text).spec.versions[0].schema.openAPIV3Schema;
  const reserved = schema['x-kubernetes-validations'].find(({ rule }: { rule: string }) => rule.includes("'master'"));
  const limits: Readonly<Record<string, object>> =
    schema.properties.spec.properties.gateway.properties.rateLimits.properties;
  return [
    ...compared(
      `${CRD}: rateLimits`,
      Object.keys(limits),
      modules.map(({ name }) => name),
    ),
    ...modules.flatMap(({ name, path: at, rateLimit: { minute, hour } }) => {
      const description = `Limits for ${at}; ${minute} a minute and ${hour} an hour when omitted.`;
      const isRight = !limits[name] || isDeepStrictEqual(limits[name], { ...limits.auth, description });
      return isRight
        ? []
        : [`${CRD}: rateLimits.${name} must be like that of auth, with the description "${description}"`];
    }),
    ...modules.flatMap(({ name }) =>
      reserved.rule.includes(`'${name}'`) ? [] : [`${CRD}: the rule about reserved names lacks ${name}`],
    ),
  ];
}

function compared(where: string, listed: readonly string[], wanted: readonly string[], why = 'is no module'): string[] {
  return [
    ...wanted.filter((name) => !listed.includes(name)).map((name) => `${where} lack ${name}`),
    ...listed.filter((name) => !wanted.includes(name)).map((name) => `${where} contain ${name}, which ${why}`),
  ];
}
