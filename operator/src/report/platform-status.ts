/** Builds the `status` of the Platform object. Pure. */
import type { HospitalObject } from '@hms/hospitals';
import type {
  EngineStatus,
  MigrationStatus,
  PlatformConditionType,
  PlatformObject,
  PlatformStatus,
} from '@hms/hospitals/platform';
import type { BackendError } from '../backends/errors.ts';
import { ERROR_REASON, mergeConditions, type NewCondition, REASON, storable } from '../hospital/conditions.ts';
import { timestamp } from '../hospital/status.ts';
import type { Migrations } from '../migration/migrations.ts';
import { progress } from '../migration/wave.ts';
import { requestOf } from './platform-watch.ts';

export interface Observed {
  readonly engines: readonly ObservedEngine[];
  readonly migrations: Pick<Migrations, 'newest' | 'done' | 'running' | 'failed' | 'haltedByFailures'>;
  readonly hospitals: readonly HospitalObject[];
}

interface ObservedEngine extends Pick<EngineStatus, 'name' | 'condition' | 'waiting'> {
  /** Undefined while this process does not know it. */
  readonly outcome: 'in order' | BackendError | undefined;
  /** Undefined: it was not checked yet. */
  readonly findings: readonly string[] | undefined;
}

type New = NewCondition<PlatformConditionType>;

/** As many as the definition allows. */
const MOST_FINDINGS = 50;
const MOST_NAMES = 100;
const MAX_MESSAGE = 1024;

export function platformStatus(object: PlatformObject, observed: Observed, now: Date): PlatformStatus {
  const { generation } = object.metadata;
  const request = requestOf(object);
  const migrations = migrationStatus(observed);
  const engines = observed.engines.map((engine) => engineCondition(engine, object));
  const conditions = [
    ready(engines),
    ...engines,
    migrated(migrations, {
      isHalted: object.spec?.migrations?.state === 'Halted',
      haltedByFailures: observed.migrations.haltedByFailures,
    }),
  ];
  return {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...(request === undefined ? {} : { reconcileRequestedAt: request.slice(0, 128) }),
    conditions: mergeConditions(object, conditions, timestamp(now)),
    engines: observed.engines.map(({ name, condition, waiting, findings = [] }) => ({
      name,
      condition,
      waiting,
      findings: findings.slice(0, MOST_FINDINGS).map(shortened),
    })),
    migrations: {
      ...migrations,
      running: migrations.running.slice(0, MOST_NAMES),
      failed: migrations.failed
        .slice(0, MOST_NAMES)
        .map(({ hospital, message }) => ({ hospital, message: shortened(message) })),
    },
  };
}

function engineCondition({ name, condition, outcome }: ObservedEngine, { status }: PlatformObject): New {
  const earlier = status?.conditions?.find(({ type }) => type === condition);
  if (outcome === undefined)
    return earlier ?? { type: condition, status: 'Unknown', reason: REASON.waiting, message: `${name} is being asked` };
  if (outcome !== 'in order') {
    const reason = ERROR_REASON[outcome.kind];
    // Causes vary between the pings of one outage: the first one stays.
    const message = outcome.kind === 'Unavailable' && earlier?.reason === reason ? earlier.message : outcome.message;
    return { type: condition, status: 'False', reason, message };
  }
  return {
    type: condition,
    status: 'True',
    reason: REASON.ready,
    message: `${name} answers, and the platform's shared part of it is in order`,
  };
}

function ready(engines: readonly New[]): New {
  const failed = engines.filter(({ status }) => status === 'False');
  const [first = engines.find(({ status }) => status === 'Unknown')] = failed;
  if (!first) return { type: 'Ready', status: 'True', reason: REASON.ready, message: 'every engine answers' };
  const message = failed.length > 0 ? failed.map((engine) => engine.message).join('; ') : first.message;
  return { type: 'Ready', status: first.status, reason: first.reason, message };
}

function migrationStatus({ migrations, hospitals }: Observed): MigrationStatus {
  const { newest, running, failed } = migrations;
  const { done, all, held } = progress(hospitals, migrations.done, newest);
  const waiting = Math.max(0, all - done - running.length - failed.length);
  return { newest, all, done, waiting, held, running, failed };
}

function migrated(
  { newest, all, done, waiting, held, running, failed }: MigrationStatus,
  { isHalted, haltedByFailures }: { readonly isHalted: boolean; readonly haltedByFailures: boolean },
): New {
  const type = 'Migrated';
  const some = `${done} of ${all} hospitals have schema version ${newest}`;
  if (done >= all) {
    const later = isHalted ? '; spec.migrations.state is Halted, so later migrations wait' : '';
    const message = all === 0 ? 'there are no hospitals' : `all hospitals have schema version ${newest}`;
    const behind = held > 0 ? `; ${held} stay behind, because they are paused or only observed` : '';
    return { type, status: 'True', reason: 'Migrated', message: message + behind + later };
  }
  const rest = `${running.length} are being migrated, ${waiting} wait, ${failed.length} failed`;
  if (isHalted)
    return {
      type,
      status: 'False',
      reason: 'MigrationHalted',
      message: `${some}; ${rest}. To resume, set spec.migrations.state to Running`,
    };
  if (haltedByFailures)
    return {
      type,
      status: 'False',
      reason: 'MigrationHalted',
      message: `${some}; ${rest}. No other migration starts: fix what failed, then set a new hms.dev/reconcile-requested-at`,
    };
  if (failed.length > 0 && running.length + waiting === 0)
    return {
      type,
      status: 'False',
      reason: 'MigrationFailed',
      message: `${some}; ${rest}. Fix what failed, then set a new hms.dev/reconcile-requested-at`,
    };
  return { type, status: 'False', reason: 'Migrating', message: `${some}; ${rest}` };
}

function shortened(text: string): string {
  return storable(text, MAX_MESSAGE);
}
