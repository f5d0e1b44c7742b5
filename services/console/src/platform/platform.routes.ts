import { ANNOTATION } from '@hms/hospitals';
import type { MigrationState } from '@hms/hospitals/platform';
import { type ErrorKind, fields, Problem, type Route, route, STALE_VERSION, TOO_MANY_STREAMS } from '@hms/service';
import type { Knex } from 'knex';
import { z } from 'zod';
import { recordEvent } from '../audit/events.ts';
import { ClusterBroadcast, event, followCluster } from '../cluster/broadcast.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { NOTICES } from '../cluster/notices.ts';
import { CLUSTER_REFUSED, CLUSTER_UNAVAILABLE, PLATFORM_UNKNOWN } from '../cluster/problems.ts';
import { platformState } from './platform.schema.ts';
import { stateOfPlatform } from './view.ts';

const PATH = '/api/console/platform';
const ERRORS: readonly ErrorKind[] = [STALE_VERSION, PLATFORM_UNKNOWN, CLUSTER_UNAVAILABLE, CLUSTER_REFUSED];

interface Dependencies {
  readonly db: Knex;
  readonly cluster: Cluster;
}

interface Step {
  readonly name: 'halt' | 'resume' | 'retry';
  readonly summary: string;
  readonly description: string;
  /** @returns what is merged into the Platform object. */
  readonly changes: () => object;
}

const stateChange = (state: MigrationState) => () => ({ spec: { migrations: { state } } });

const STEPS: readonly Step[] = [
  {
    name: 'halt',
    summary: 'Halt the migrations of hospitals',
    description: 'Migrations that run end, and no other starts. It lasts until they are resumed, over releases too.',
    changes: stateChange('Halted'),
  },
  {
    name: 'resume',
    summary: 'Resume the migrations of hospitals',
    description: 'Hospitals that wait are migrated, a few at a time.',
    changes: stateChange('Running'),
  },
  {
    name: 'retry',
    summary: 'Try failed migrations again',
    description: 'Once the cause is fixed. It also ends the halt that failures have caused.',
    changes: () => ({ metadata: { annotations: { [ANNOTATION.reconcileRequestedAt]: new Date().toISOString() } } }),
  },
];

export function platformRoutes({ db, cluster }: Dependencies): readonly Route[] {
  const known = () => {
    const found = cluster.platform();
    if (!found) throw new Problem(PLATFORM_UNKNOWN);
    return found;
  };
  /** Nothing, if somebody has deleted the object and no operator has created it again yet. */
  const told = () => {
    const found = cluster.platform();
    return found ? event('platform', stateOfPlatform(found.platform, found.asOf)) : '';
  };
  const broadcast = () =>
    new ClusterBroadcast(cluster, {
      records: [NOTICES.platform],
      present: told,
      changed: (idsOf) => (idsOf(NOTICES.platform).size > 0 ? [told()] : []),
    });
  return [
    route({
      method: 'GET',
      path: PATH,
      operationId: 'readPlatform',
      summary: 'What the operator reports about engines and migrations',
      description: 'While the API server can not be reached, it is as last known: see `asOf`.',
      access: 'platform.read',
      database: 'none',
      response: platformState,
      errors: [PLATFORM_UNKNOWN],
      handler: async () => {
        const { platform, asOf } = known();
        return { data: stateOfPlatform(platform, asOf) };
      },
    }),
    route({
      method: 'GET',
      path: `${PATH}/stream`,
      operationId: 'followPlatform',
      summary: 'Follow the platform as server-sent events',
      description: '`platform` with its state when it has changed, and `contact`. It begins with the present state.',
      access: 'platform.read',
      database: 'none',
      response: z.string().describe('Events, one after the other'),
      contentType: 'text/event-stream',
      errors: [PLATFORM_UNKNOWN, TOO_MANY_STREAMS],
      handler: async (context) => {
        known();
        return followCluster(context, cluster, { name: 'platform', broadcast });
      },
    }),
    ...STEPS.map(({ name, summary, description, changes }) =>
      route({
        method: 'POST',
        path: `${PATH}/migrations/${name}`,
        operationId: `${name}Migrations`,
        summary,
        description,
        access: 'platform.write',
        database: 'none',
        body: z.object({ reason: fields.line(500).optional().describe('For the audit log of the platform') }),
        response: platformState,
        errors: ERRORS,
        handler: async (context) => {
          const { reason } = context.body;
          known();
          const changed = await db.transaction(async (trx) => {
            const details = { step: name, ...(reason === undefined ? {} : { reason }) };
            await recordEvent(trx, context, { action: 'transition', record: 'migrations', recordId: null, details });
            return cluster.changePlatform(changes());
          });
          return { data: stateOfPlatform(changed, new Date()) };
        },
      }),
    ),
  ];
}
