/** Lints the OpenAPI document of each module with Redocly's recommended rules. Ends with 1 if something is wrong. */

import { type ModuleDefinition, openApiDocument } from '@hms/service';
import { createConfig, formatProblems, lintFromString } from '@redocly/openapi-core';
import { authModule } from '../services/auth/src/module.ts';
import { crmModule } from '../services/crm/src/module.ts';
import { hmsModule } from '../services/hms/src/module.ts';

/** Only the routes are read, so the module's dependencies are never called. */
const auth = authModule({ key: {} } as Parameters<typeof authModule>[0]);
const modules: readonly ModuleDefinition[] = [auth, hmsModule, crmModule];

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
