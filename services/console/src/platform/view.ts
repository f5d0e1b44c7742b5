/** The Platform object as the interface shows it. Pure. */
import type { PlatformObject } from '@hms/hospitals/platform';
import type { PlatformState } from './platform.schema.ts';

export function stateOfPlatform({ spec, status }: PlatformObject, asOf: Date): PlatformState {
  const conditionOf = (type: string) => {
    const {
      status: value = 'Unknown',
      reason,
      message,
      lastTransitionTime,
    } = status?.conditions?.find((condition) => condition.type === type) ?? {};
    return {
      status: value,
      reason: reason ?? 'NotReported',
      message: message ?? 'the operator has not reported it yet',
      since: lastTransitionTime ?? null,
    };
  };
  const { newest = 0, all = 0, done = 0, waiting = 0, held = 0, running = [], failed = [] } = status?.migrations ?? {};
  return {
    asOf: asOf.toISOString(),
    engines: (status?.engines ?? []).map(({ name, condition, waiting: hospitals, findings }) => ({
      name,
      ...conditionOf(condition),
      waiting: hospitals,
      findings: [...findings],
    })),
    migrations: {
      state: spec?.migrations?.state ?? 'Running',
      ...conditionOf('Migrated'),
      ...{ newest, all, done, waiting, held },
      running: [...running],
      failed: failed.map(({ hospital, message }) => ({ hospital, message })),
    },
  };
}
