import type { HospitalObject } from '@hms/hospitals';
import type { HospitalNames } from '@hms/tenancy';
import { DATABASE } from '../backends/database/backend.ts';
import { changedMeanwhile, toBackendError } from '../backends/errors.ts';
import type { Migrations, Schema, Turn } from '../migration/migrations.ts';
import { progress } from '../migration/wave.ts';
import type { EventType } from '../runtime/events.ts';
import type { Outcome, Outcomes } from './outcome.ts';

/** The backend whose part migrations change. */
const { name: BACKEND } = DATABASE;

export interface TurnOptions {
  readonly migrations: Migrations;
  readonly list: () => readonly HospitalObject[];
  readonly record: (type: EventType, reason: string, message: string) => Promise<void>;
}

/**
 * Version 0 means that the schema disappeared right after it was created or read. The status must not record it,
 * because the recorded version shows whether data is lost. Pure.
 * @throws BackendError Unavailable, so that the retry observes the current state.
 */
export function refuseNone(names: HospitalNames, schema: Schema): Schema {
  if (schema.version === 0) throw changedMeanwhile(`schema ${names.schema}`);
  return schema;
}

/**
 * Reads the schema of a reconciled hospital.
 * @param note called with the outcome if that fails. @returns the completed outcome.
 */
export async function readSchema(
  outcomes: Outcomes,
  read: () => Promise<Schema>,
  note: (outcome: Outcome) => Outcome,
): Promise<{ outcomes: Outcomes; schema: Schema | undefined }> {
  const outcome = outcomes[BACKEND];
  if (!outcome || outcome.error) return { outcomes, schema: undefined };
  try {
    return { outcomes, schema: await read() };
  } catch (cause) {
    const failed = note({ ...outcome, error: toBackendError(cause, BACKEND) });
    return { outcomes: { ...outcomes, [BACKEND]: failed }, schema: undefined };
  }
}

/** The outcomes with why the schema is not the newest. Pure. */
export function withBehind(outcomes: Outcomes, schema: Schema | undefined): Outcomes {
  const outcome = outcomes[BACKEND];
  return outcome && schema?.behind ? { ...outcomes, [BACKEND]: { ...outcome, behind: schema.behind } } : outcomes;
}

/** Migrates the hospital's schema if it is its turn, and records events about the progress of the wave. */
export async function takeTurn(
  names: HospitalNames,
  schema: Schema,
  request: string | undefined,
  { migrations, list, record }: TurnOptions,
): Promise<Turn> {
  const haltedBefore = migrations.halted;
  const step = `schema version ${schema.version} to ${schema.newest}`;
  const turn = await migrations.run(names, schema, request, () => record('Normal', 'MigrationStarted', step));
  const { done, all } = progress(list(), migrations.done, schema.newest);
  if (turn.result === 'migrated') {
    await record('Normal', 'Migrated', `${step}; ${done} of ${all} hospitals have it`);
    if (done === all) await record('Normal', 'MigrationFinished', `all ${all} hospitals have version ${schema.newest}`);
  }
  if (turn.result === 'failed') {
    await record('Warning', 'MigrationFailed', turn.behind?.message ?? step);
    if (migrations.halted && !haltedBefore) {
      await record(
        'Warning',
        'MigrationHalted',
        `${done} of ${all} hospitals have version ${schema.newest}, and no other migration is started`,
      );
    }
  }
  return turn;
}

/** A plan with the migration that the hospital would get in its turn. Pure. */
export function withMigration(outcomes: Outcomes, names: HospitalNames, schema: Schema | undefined): Outcomes {
  const outcome = outcomes[BACKEND];
  // The creation of a schema is planned by the backend itself.
  if (!outcome || !schema?.behind || schema.version === 0) return outcomes;
  const change = {
    action: 'update',
    object: `schema ${names.schema}`,
    detail: `version ${schema.version} to ${schema.newest}`,
  } as const;
  return { ...outcomes, [BACKEND]: { ...outcome, changes: [...outcome.changes, change] } };
}
