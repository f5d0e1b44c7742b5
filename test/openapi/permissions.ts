/**
 * The page docs/permissions.md: which permission each route asks for, and which roles have it. `npm run api-types`
 * writes it. With --check, ends with 1 if it is not that of today's routes.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { Route } from '@hms/service';
import { PERMISSION_NAMES, PERMISSIONS, type Permission, type RealmKind, SYSTEM_TEMPLATES } from '@hms/tenancy';
import { moduleDefinitions } from './documents.ts';

const PAGE = path.join(import.meta.dirname, '..', '..', 'docs', 'permissions.md');

const modules = await moduleDefinitions();
const wanted = [
  '# Permissions',
  '',
  'This page is generated from the code: `npm run api-types` writes it. [Roles and permissions](security.md#roles-and-permissions) explains how they work together.',
  '',
  '## What each permission allows',
  ...kinds(({ kind, title, roles }) => [
    '',
    `### ${title}`,
    '',
    ...table(
      ['Permission', 'Whoever has it may', ...roles],
      PERMISSION_NAMES[kind].map((name) => [
        `\`${name}\``,
        PERMISSIONS[name].may,
        ...marks(roles, (role) => (PERMISSIONS[name].roles as readonly string[]).includes(role)),
      ]),
    ),
  ]),
  '',
  '## What each route asks for',
  '',
  'A route without a permission is open to everybody, or to everybody who has a valid token.',
  ...modules.flatMap(({ name, routes }) => {
    const kind = name === 'console' ? 'platform' : 'hospital';
    const roles = namesOf(kind);
    return [
      '',
      `### ${name}`,
      '',
      ...table(
        ['Route', 'Permission', ...roles],
        [...routes].sort(byPath).map((route) => [`\`${route.method} ${route.path}\``, ...accessOf(route, roles)]),
      ),
    ];
  }),
  '',
].join('\n');

if (process.argv.includes('--check')) {
  if (!fs.existsSync(PAGE) || fs.readFileSync(PAGE, 'utf8') !== wanted) {
    process.stderr.write('The routes have changed, but not docs/permissions.md: run npm run api-types\n');
    process.exit(1);
  }
} else {
  fs.writeFileSync(PAGE, wanted);
}

interface Kind {
  readonly kind: RealmKind;
  readonly title: string;
  readonly roles: readonly string[];
}

function kinds(render: (kind: Kind) => readonly string[]): readonly string[] {
  return [
    ...render({ kind: 'hospital', title: 'People of a hospital', roles: namesOf('hospital') }),
    ...render({ kind: 'platform', title: 'Users of the platform', roles: namesOf('platform') }),
  ];
}

function namesOf(kind: RealmKind): readonly string[] {
  return SYSTEM_TEMPLATES.flatMap(({ name, appliesTo }) => (appliesTo === kind ? [name] : []));
}

function accessOf({ access }: Route, roles: readonly string[]): readonly string[] {
  if (access === 'public') return ['everybody', ...marks(roles, () => true)];
  if (access === 'authenticated') return ['any token', ...marks(roles, () => true)];
  const isForeign = !roles.some((role) => namesOf(kindOf(access)).includes(role));
  const name = `\`${access}\`${isForeign ? ' of the platform' : ''}`;
  return [name, ...marks(roles, (role) => (PERMISSIONS[access].roles as readonly string[]).includes(role))];
}

function kindOf(permission: Permission): RealmKind {
  return PERMISSION_NAMES.hospital.includes(permission) ? 'hospital' : 'platform';
}

function marks(roles: readonly string[], has: (role: string) => boolean): readonly string[] {
  return roles.map((role) => (has(role) ? '✓' : ''));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

function byPath(one: Route, other: Route): number {
  return one.path.localeCompare(other.path) || one.method.localeCompare(other.method);
}
