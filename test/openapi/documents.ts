/** The OpenAPI documents of all modules as they are served, without starting any. */
import { type ModuleDefinition, openApiDocument, type Platform, withCheck } from '@hms/service';
import { BUILT_MODULES } from '@hms/tenancy';
import { consoleModule } from '../../services/console/src/module.ts';
import { HOST_RULES, unreachableCluster } from '../../services/console/src/testing.ts';

export interface ModuleDocument {
  readonly module: string;
  readonly document: ReturnType<typeof openApiDocument>;
}

export async function moduleDocuments(): Promise<readonly ModuleDocument[]> {
  const definitions = await moduleDefinitions();
  return definitions.map((definition) => ({ module: definition.name, document: openApiDocument(definition) }));
}

/** The modules as they are served. Only their routes can be used. */
export function moduleDefinitions(): Promise<readonly ModuleDefinition[]> {
  return Promise.all(BUILT_MODULES.map(async ({ name }) => withCheck(await definitionOf(name))));
}

/** Makes a module that serves requests. */
export type Define = (platform: Platform) => ModuleDefinition;

/** Modules that need more than the platform of a test. */
const SPECIAL: Readonly<Record<string, Define>> = {
  console: (platform) => consoleModule(platform, unreachableCluster(platform), HOST_RULES),
};

/** A module for a platform of tests. Of the console, what needs no cluster. */
export async function defineOf(name: string): Promise<Define> {
  const special = SPECIAL[name];
  if (special) return special;
  const exported = await exportOf(name);
  return typeof exported === 'function' ? (exported as Define) : () => exported;
}

/** What the file of a module exports: its definition, or a function that makes it. */
async function exportOf(name: string): Promise<ModuleDefinition | ((dependencies: never) => ModuleDefinition)> {
  const { [`${name}Module`]: exported } = await import(`../../services/${name}/src/module.ts`);
  return exported;
}

/** Only the routes are read, so the dependencies of a module that has some are never called. */
async function definitionOf(name: string): Promise<ModuleDefinition> {
  const definition = await exportOf(name);
  // A process of the tests may live long enough for the module's own work to be due.
  const dependencies = { platform: {}, key: {}, sweepInterval: 2 ** 31 - 1 };
  return typeof definition === 'function' ? definition(dependencies as never) : definition;
}
