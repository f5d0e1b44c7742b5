import { type Kind, kinds, schemas } from '../entities/index.ts';
import type { Answer } from './call.ts';

/** `GET /endpoints`: every path of the Admin API, with the names of its parameters. */
export function endpoints(): Answer {
  return { status: 200, body: { data: [...OTHERS, ...kinds.flatMap(pathsOf)].sort() } };
}

function pathsOf(kind: Kind): string[] {
  const { path, nested, fields } = schemas[kind];
  const own = path === undefined ? [] : [`/${path}`, `/${path}/{${kind}}`];
  const below = nested.flatMap(({ under, path: last }) => {
    const list = `/${schemas[under as Kind].path}/{${under}}/${last}`;
    return [list, `${list}/{${kind}}`];
  });
  const parents = Object.entries(fields).flatMap(([name, field]) =>
    path !== undefined && field.type === 'foreign' ? [`/${path}/{${kind}}/${name}`] : [],
  );
  return [...own, ...below, ...parents];
}

const OTHERS = [
  '/',
  '/config',
  '/endpoints',
  '/metrics',
  '/plugins/enabled',
  '/schemas/plugins/validate',
  '/schemas/plugins/{name}',
  '/schemas/{name}',
  '/schemas/{name}/validate',
  '/status',
  '/tags',
  '/tags/{tags}',
  '/upstreams/{upstreams}/health',
  '/upstreams/{upstreams}/targets/all',
  '/upstreams/{upstreams}/targets/{targets}/healthy',
  '/upstreams/{upstreams}/targets/{targets}/{address}/healthy',
  '/upstreams/{upstreams}/targets/{targets}/{address}/unhealthy',
  '/upstreams/{upstreams}/targets/{targets}/unhealthy',
];
