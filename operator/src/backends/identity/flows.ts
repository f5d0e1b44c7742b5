import type AuthenticationExecutionInfoRepresentation from '@keycloak/keycloak-admin-client/lib/defs/authenticationExecutionInfoRepresentation.js';
import type AuthenticationFlowRepresentation from '@keycloak/keycloak-admin-client/lib/defs/authenticationFlowRepresentation.js';
import type AuthenticatorConfigRepresentation from '@keycloak/keycloak-admin-client/lib/defs/authenticatorConfigRepresentation.js';
import type { AdminRequest, RealmChange, RealmExport } from './change.ts';
import { unequal } from './compare.ts';

/** Executions of flows by the flow's alias, with the ids that an export omits. */
export type Executions = ReadonlyMap<string, readonly Execution[]>;

export interface Execution extends AuthenticationExecutionInfoRepresentation {
  readonly priority?: number;
}

/**
 * Keycloak's own flows can't be deleted, and no step can be added or removed: their steps differ only between
 * versions of Keycloak, and are not compared. Everything that can be changed is: names, requirements,
 * order and configuration. Pure.
 */
export function flowChanges(expected: RealmExport, actual: RealmExport, executions: Executions): RealmChange[] {
  const renamed = renamedFlows(expected, actual);
  return [
    ...renamed.map(({ flow, alias }) => ({
      action: 'update' as const,
      object: `flow ${alias}`,
      detail: `was named ${flow.alias}`,
      requests: [{ method: 'PUT' as const, path: `${flowsOf(actual)}/${flow.id}`, body: { ...flow, alias } }],
    })),
    ...configChanges(expected, actual),
    ...comparable(expected, actual).flatMap(({ wanted, found }) => {
      const differing = differingExecutions(wanted, found);
      if (differing.length === 0) return [];
      const alias = found.alias ?? '';
      return [
        {
          action: 'update' as const,
          object: `flow ${alias}`,
          detail: differing.map(({ name }) => name).join(', '),
          requests: differing.flatMap(({ name, requirement, priority }): AdminRequest[] => {
            const execution = executions.get(alias)?.find((other) => nameOfExecution(other) === name);
            const body = { ...execution, requirement, priority };
            const path = `${flowsOf(actual)}/${encodeURIComponent(alias)}/executions`;
            return execution ? [{ method: 'PUT', path, body }] : [];
          }),
        },
      ];
    }),
  ];
}

/** Added flows. Pure. */
export function flowDeletions(actual: RealmExport): RealmChange[] {
  return flows(actual)
    .filter(({ builtIn, topLevel }) => !builtIn && topLevel)
    .map(({ id, alias }) => ({
      action: 'delete',
      object: `flow ${alias}`,
      requests: [{ method: 'DELETE', path: `${flowsOf(actual)}/${id}` }],
    }));
}

/** Aliases of the flows whose executions differ, so that their ids are needed. Pure. */
export function differingFlows(expected: RealmExport, actual: RealmExport): string[] {
  return comparable(expected, actual)
    .filter(({ wanted, found }) => differingExecutions(wanted, found).length > 0)
    .map(({ found }) => found.alias ?? '');
}

interface ExportedExecution {
  readonly authenticator?: string;
  readonly flowAlias?: string;
  readonly requirement?: string;
  readonly priority?: number;
}

function comparable(expected: RealmExport, actual: RealmExport) {
  return flows(expected).flatMap((wanted) => {
    const found = flows(actual).find(({ alias }) => alias === wanted.alias);
    return found ? [{ wanted, found }] : [];
  });
}

function differingExecutions(wanted: AuthenticationFlowRepresentation, found: AuthenticationFlowRepresentation) {
  return (wanted.authenticationExecutions ?? []).flatMap((execution) => {
    const name = nameOf(execution);
    const other = found.authenticationExecutions?.find((candidate) => nameOf(candidate) === name);
    if (!other || (other.requirement === execution.requirement && other.priority === execution.priority)) return [];
    return [{ name, requirement: execution.requirement, priority: execution.priority }];
  });
}

/** The kind of an execution, which is unique within each of Keycloak's own flows. */
function nameOf({ authenticator, flowAlias }: ExportedExecution): string {
  return flowAlias ?? authenticator ?? '';
}

/** The same for an execution as its own list returns it. */
function nameOfExecution({ authenticationFlow, displayName, providerId }: Execution): string {
  return (authenticationFlow ? displayName : providerId) ?? '';
}

function configChanges(expected: RealmExport, actual: RealmExport): RealmChange[] {
  const [wanted, present] = [configs(expected), configs(actual)];
  const path = `/${actual.realm}/authentication/config`;
  return present.flatMap((config): RealmChange[] => {
    const object = `configuration ${config.alias} of a flow`;
    const found = wanted.find(({ alias }) => alias === config.alias);
    if (!found) return [{ action: 'delete', object, requests: [{ method: 'DELETE', path: `${path}/${config.id}` }] }];
    const differing = unequal(found, config);
    if (differing.length === 0) return [];
    const body = { ...found, id: config.id };
    return [
      {
        action: 'update',
        object,
        detail: differing.join(', '),
        requests: [{ method: 'PUT', path: `${path}/${config.id}`, body }],
      },
    ];
  });
}

/** Keycloak's own flows that were renamed, recognised by their content. */
function renamedFlows(expected: RealmExport, actual: RealmExport) {
  const has = (realm: RealmExport, alias: string | undefined) => flows(realm).some((flow) => flow.alias === alias);
  const content = ({ providerId, topLevel, authenticationExecutions = [] }: AuthenticationFlowRepresentation) =>
    JSON.stringify([providerId, topLevel, authenticationExecutions.map(({ authenticator }) => authenticator)]);
  return flows(actual)
    .filter((flow) => flow.builtIn && !has(expected, flow.alias))
    .flatMap((flow) => {
      const wanted = flows(expected).find(
        ({ alias, ...rest }) => !has(actual, alias) && content(rest) === content(flow),
      );
      return wanted?.alias ? [{ flow, alias: wanted.alias }] : [];
    });
}

function flows({ authenticationFlows = [] }: RealmExport): readonly AuthenticationFlowRepresentation[] {
  return authenticationFlows;
}

function configs({ authenticatorConfig = [] }: RealmExport): readonly AuthenticatorConfigRepresentation[] {
  return authenticatorConfig;
}

function flowsOf({ realm }: RealmExport): string {
  return `/${realm}/authentication/flows`;
}
