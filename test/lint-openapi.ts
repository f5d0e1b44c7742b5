/** Lints the OpenAPI document of each module with Redocly's recommended rules. Ends with 1 if something is wrong. */

import { type ModuleDefinition, openApiDocument } from '@hms/service';
import { BUILT_MODULES } from '@hms/tenancy';
import { createConfig, formatProblems, lintFromString } from '@redocly/openapi-core';

/** Only the routes are read, so the dependencies of a module that has some are never called. */
async function definitionOf(name: string): Promise<ModuleDefinition> {
  const { [`${name}Module`]: definition } = await import(`../services/${name}/src/module.ts`);
  return typeof definition === 'function' ? definition({ key: {} }) : definition;
}

const modules = await Promise.all(BUILT_MODULES.map(({ name }) => definitionOf(name)));

const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    // The address depends on the installation.
    'no-server-example.com': 'off',
    'security-defined': 'error',
    'operation-operationId-unique': 'error',
    'operation-operationId-url-safe': 'error',
    'no-unused-components': 'error',
  },
});
let wrong = 0;
for (const module of modules) {
  const source = JSON.stringify(openApiDocument(module), null, 2);
  const problems = await lintFromString({ source, absoluteRef: `${module.name}.json`, config });
  wrong += problems.length;
  if (problems.length > 0) {
    formatProblems(problems, {
      format: 'codeframe',
      totals: { errors: problems.length, warnings: 0, ignored: 0 },
      version: '2',
    });
  }
}
process.exit(wrong > 0 ? 1 : 0);
