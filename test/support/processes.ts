/** The processes of the modules, so that a test of every module leaves none out. */
import type { PortName } from '@hms/local';
import { BUILT_MODULES, CONSOLE_REALM, type ProcessName, processNames } from '@hms/tenancy';

/** Those of the modules that serve people of a hospital, each with a request that any of them may make. */
export const HOSPITAL_PROCESSES: readonly (readonly [PortName & ProcessName, string])[] = BUILT_MODULES.filter(
  ({ name }) => name !== CONSOLE_REALM,
).flatMap((module) => processNames(module).map((process) => [process, `/api/${module.name}/check`] as const));
