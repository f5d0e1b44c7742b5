/** The OpenAPI documents of all modules as they are served, without starting any. */
import { type ModuleDefinition, openApiDocument, withCheck } from '@hms/service';
import { BUILT_MODULES } from '@hms/tenancy';

export interface ModuleDocument {
  readonly module: string;
  readonly document: ReturnType<typeof openApiDocument>;
}

export function moduleDocuments(): Promise<readonly ModuleDocument[]> {
  return Promise.all(
    BUILT_MODULES.map(async ({ name }) => ({
      module: name,
      document: openApiDocument(withCheck(await definitionOf(name))),
    })),
  );
}

/** Only the routes are read, so the dependencies of a module that has some are never called. */
async function definitionOf(name: string): Promise<ModuleDefinition> {
  const { [`${name}Module`]: definition } = await import(`../../services/${name}/src/module.ts`);
  return typeof definition === 'function' ? definition({ platform: {}, key: {} }) : definition;
}
