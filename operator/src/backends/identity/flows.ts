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
 * order and configuration. The operator's own flows are compared with their steps. Pure.
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
    ...flowCreations(expected, actual),
    ...stepChanges(expected, actual, executions),
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

/** The operator's own flows that are missing. The next comparison sets the requirements and the order of the steps. */
function flowCreations(expected: RealmExport, actual: RealmExport): RealmChange[] {
  const names = new Set(flows(actual).map(({ alias }) => alias));
  return flows(expected)
    .filter(({ builtIn, alias }) => !builtIn && !names.has(alias))
    .map((flow) => {
      const { alias, description, providerId, topLevel, builtIn } = flow;
      return {
        action: 'create',
        object: `flow ${alias}`,
        requests: [
          { method: 'POST', path: flowsOf(actual), body: { alias, description, providerId, topLevel, builtIn } },
          ...stepsOf(flow).map((step) => stepCreation(actual, alias, step)),
        ],
      };
    });
}

/** Steps of the operator's own flows that are missing or were added. */
function stepChanges(expected: RealmExport, actual: RealmExport, executions: Executions): RealmChange[] {
  return comparable(expected, actual).flatMap(({ wanted, found }): RealmChange[] => {
    const { added, missing } = differingSteps(wanted, found);
    if (added.length + missing.length === 0) return [];
    const { alias = '' } = found;
    const ids = (executions.get(alias) ?? []).filter((execution) => added.includes(nameOfExecution(execution)));
    return [
      {
        action: 'update',
        object: `flow ${alias}`,
        detail: [...missing.map((step) => `with ${step}`), ...added.map((step) => `without ${step}`)].join(', '),
        requests: [
          ...missing.map((step) => stepCreation(actual, alias, step)),
          ...ids.map(({ id }): AdminRequest => {
            return { method: 'DELETE', path: `/${actual.realm}/authentication/executions/${id}` };
          }),
        ],
      },
    ];
  });
}

function stepCreation(actual: RealmExport, alias = '', provider: string): AdminRequest {
  const path = `${flowsOf(actual)}/${encodeURIComponent(alias)}/executions/execution`;
  return { method: 'POST', path, body: { provider } };
}

function differingSteps(wanted: AuthenticationFlowRepresentation, found: AuthenticationFlowRepresentation) {
  if (wanted.builtIn) return { added: [], missing: [] };
  const [steps, present] = [stepsOf(wanted), stepsOf(found)];
  return {
    added: present.filter((step) => !steps.includes(step)),
    missing: steps.filter((step) => !present.includes(step)),
  };
}

function stepsOf({ authenticationExecutions = [] }: AuthenticationFlowRepresentation): readonly string[] {
  return authenticationExecutions.map(nameOf);
}

/** Added flows. Pure. */
export function flowDeletions(expected: RealmExport, actual: RealmExport): RealmChange[] {
  const own = new Set(flows(expected).map(({ alias }) => alias));
  return flows(actual)
    .filter(({ builtIn, topLevel, alias }) => !builtIn && topLevel && !own.has(alias))
    .map(({ id, alias }) => ({
      action: 'delete',
      object: `flow ${alias}`,
      requests: [{ method: 'DELETE', path: `${flowsOf(actual)}/${id}` }],
    }));
}

/** Aliases of the flows whose executions differ, so that their ids are needed. Pure. */
export function differingFlows(expected: RealmExport, actual: RealmExport): string[] {
  return comparable(expected, actual)
    .filter(
      ({ wanted, found }) =>
        differingExecutions(wanted, found).length > 0 || differingSteps(wanted, found).added.length > 0,
    )
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
