/** Lints the OpenAPI document of each module with Redocly's recommended rules. Ends with 1 if something is wrong. */

import { createConfig, formatProblems, lintFromString } from '@redocly/openapi-core';
import { moduleDocuments } from './documents.ts';

const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    // The address depends on the installation.
    'no-server-example.com': 'off',
    // The interface has /api/queue/:clinicId/stream beside lists with records. All ids are UUIDs, so that no request
    // matches two paths.
    'no-ambiguous-paths': 'off',
    'security-defined': 'error',
    'operation-operationId-unique': 'error',
    'operation-operationId-url-safe': 'error',
    'no-unused-components': 'error',
  },
});
let wrong = 0;
for (const { module, document } of await moduleDocuments()) {
  const source = JSON.stringify(document, null, 2);
  const problems = await lintFromString({ source, absoluteRef: `${module}.json`, config });
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
