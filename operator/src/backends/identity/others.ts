import type ComponentExportRepresentation from '@keycloak/keycloak-admin-client/lib/defs/componentExportRepresentation.js';
import type { AdminRequest, RealmChange, RealmExport } from './change.ts';
import { overwriting, unequal, withoutGenerated } from './compare.ts';

/**
 * Other ways to log in to a realm, and its integrations. Pure. @param tokens ids of the realm's initial access tokens.
 */
export function otherChanges(expected: RealmExport, actual: RealmExport, tokens: readonly string[]): RealmChange[] {
  const removal = (object: string, path: string): RealmChange => ({
    action: 'delete',
    object,
    requests: [{ method: 'DELETE', path: `/${actual.realm}/${path}` }],
  });
  return [
    ...requiredActionChanges(expected, actual),
    ...componentChanges(expected, actual),
    ...identityProviderChanges(expected, actual),
    ...Object.keys(localizations(actual)).map((locale) => removal(`texts in ${locale}`, `localization/${locale}`)),
    ...tokens.map((id) => removal(`initial access token ${id}`, `clients-initial-access/${id}`)),
  ];
}

/** Identity providers with their mappers, of which none is wanted. */
function identityProviderChanges(expected: RealmExport, actual: RealmExport): RealmChange[] {
  const [wanted, present] = [expected.identityProviders ?? [], actual.identityProviders ?? []];
  const list = `/${actual.realm}/identity-provider/instances`;
  const object = (alias: string | undefined) => `identity provider ${alias}`;
  const isWanted = (alias: string | undefined) => wanted.some((provider) => provider.alias === alias);
  return [
    ...present
      .filter(({ alias }) => !isWanted(alias))
      .map(({ alias }) => ({
        action: 'delete' as const,
        object: object(alias),
        requests: [{ method: 'DELETE' as const, path: `${list}/${alias}` }],
      })),
    // Those of a deleted provider go with it.
    ...(actual.identityProviderMappers ?? [])
      .filter(({ identityProviderAlias }) => isWanted(identityProviderAlias))
      .map(({ identityProviderAlias: alias, id, name }) => ({
        action: 'delete' as const,
        object: `mapper ${name} of ${object(alias)}`,
        requests: [{ method: 'DELETE' as const, path: `${list}/${alias}/mappers/${id}` }],
      })),
    ...wanted.flatMap((provider): RealmChange[] => {
      const { alias } = provider;
      const found = present.find((other) => other.alias === alias);
      if (!found) {
        const requests: AdminRequest[] = [{ method: 'POST', path: list, body: provider }];
        return [{ action: 'create', object: object(alias), requests }];
      }
      const differing = unequal(provider, found);
      if (differing.length === 0) return [];
      const body = overwriting(provider, found);
      const requests: AdminRequest[] = [{ method: 'PUT', path: `${list}/${alias}`, body }];
      return [{ action: 'update', object: object(alias), detail: differing.join(', '), requests }];
    }),
  ];
}

const KEYS = 'org.keycloak.keys.KeyProvider';
/** Deleting one of these also deletes the people imported from it. */
const PEOPLE = 'org.keycloak.storage.UserStorageProvider';
/** The operator has no right to delete these. */
const WORKFLOW = 'org.keycloak.models.workflow.WorkflowProvider';

function requiredActionChanges(expected: RealmExport, actual: RealmExport): RealmChange[] {
  const base = `/${actual.realm}/authentication`;
  const [wanted, present] = [expected.requiredActions ?? [], actual.requiredActions ?? []];
  const added = present.filter(({ alias }) => !wanted.some((action) => action.alias === alias));
  return [
    ...added.map(({ alias }) => ({
      action: 'delete' as const,
      object: `required action ${alias}`,
      requests: [{ method: 'DELETE' as const, path: `${base}/required-actions/${alias}` }],
    })),
    ...wanted.flatMap((action): RealmChange[] => {
      const { alias, providerId, name } = action;
      const found = present.find((other) => other.alias === alias);
      const object = `required action ${alias}`;
      const update: AdminRequest = { method: 'PUT', path: `${base}/required-actions/${alias}`, body: action };
      const register: AdminRequest = {
        method: 'POST',
        path: `${base}/register-required-action`,
        body: { providerId, name },
      };
      if (!found) return [{ action: 'create', object, requests: [register, update] }];
      const differing = unequal(action, found);
      return differing.length > 0
        ? [{ action: 'update', object, detail: differing.join(', '), requests: [update] }]
        : [];
    }),
  ];
}

interface Component extends ComponentExportRepresentation {
  readonly providerType: string;
}

function componentChanges(expected: RealmExport, actual: RealmExport): RealmChange[] {
  const [wanted, present] = [componentsOf(expected), componentsOf(actual)];
  const path = `/${actual.realm}/components`;
  return [
    ...present
      // The first of its kind is compared, and any others were added.
      .filter(
        (component) =>
          !isGeneratedKey(component) &&
          (!wanted.some((other) => isSame(component, other)) ||
            present.find((other) => isSame(component, other)) !== component),
      )
      .map((component): RealmChange => {
        const object = componentName(component);
        if (component.providerType === WORKFLOW) {
          const detail = "Keycloak lets only the realm's administrators delete it";
          return { action: 'delete', object: `workflow ${component.id}`, detail, requests: [] };
        }
        if (component.providerType !== PEOPLE) {
          return { action: 'delete', object, requests: [{ method: 'DELETE', path: `${path}/${component.id}` }] };
        }
        return {
          action: 'delete',
          object,
          detail: 'the people imported from it would be deleted with it',
          requests: [],
        };
      }),
    ...wanted.flatMap((component): RealmChange[] => {
      const found = present.find((other) => isSame(component, other));
      const { subComponents, ...rest } = component;
      const object = componentName(component);
      const body = { ...withoutGenerated(rest), parentId: actual.id };
      if (!found) return [{ action: 'create', object, requests: [{ method: 'POST', path, body }] }];
      const differing = unequal(component, found);
      if (differing.length === 0) return [];
      const config = overwriting(component.config ?? {}, found.config ?? {});
      const request: AdminRequest = {
        method: 'PUT',
        path: `${path}/${found.id}`,
        body: { ...body, config, id: found.id },
      };
      return [{ action: 'update', object, detail: differing.join(', '), requests: [request] }];
    }),
  ];
}

/** Some have no name. */
function componentName({ name, providerId }: Component): string {
  return name ? `component ${name} (${providerId})` : `component ${providerId}`;
}

/** Without the keys of access tokens, because they are rotated. */
function componentsOf({ components = {} }: RealmExport): Component[] {
  const lists: Readonly<Record<string, unknown>> = components;
  return Object.entries(lists)
    .flatMap(([providerType, list]) =>
      (list as readonly ComponentExportRepresentation[]).map((component) => ({ ...component, providerType })),
    )
    .filter(({ providerType, providerId }) => providerType !== KEYS || providerId !== 'rsa-generated');
}

/** Keycloak generates them, also as a fallback. Imported keys are known outside of Keycloak. */
function isGeneratedKey({ providerType, providerId }: Component): boolean {
  return providerType === KEYS && providerId?.endsWith('-generated') === true;
}

function isSame(one: Component, other: Component): boolean {
  return (
    one.providerType === other.providerType &&
    one.providerId === other.providerId &&
    one.subType === other.subType &&
    (!isGeneratedKey(one) || one.name === other.name)
  );
}

function localizations(realm: RealmExport): Readonly<Record<string, unknown>> {
  const { localizationTexts = {} } = realm as { readonly localizationTexts?: Readonly<Record<string, unknown>> };
  return localizationTexts;
}
