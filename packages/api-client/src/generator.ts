/** Types from OpenAPI documents. Only `npm run api-types` uses it. */
import openapiTS, { astToString, COMMENT_HEADER, type OpenAPI3 } from 'openapi-typescript';

/**
 * The source of the types of one module: `paths`, `components`, `operations`.
 * @param document of OpenAPI 3.1. Equal documents give equal sources.
 */
export async function typesOf(document: object): Promise<string> {
  // A field with a default may be left out by the client that sends it.
  const tree = await openapiTS(onlySuccesses(structuredClone(document) as OpenAPI3), {
    defaultNonNullable: false,
    silent: true,
  });
  // What an operation does not take need not be said.
  const source = astToString(tree).replaceAll(/^ +\w+\?: never;\n/gm, '');
  return COMMENT_HEADER + source.replaceAll(/^ +parameters: \{\n +\};\n/gm, '');
}

/** Clients read every failure as an `ApiError`, and headers by their names, so that the types of these would only be long. */
function onlySuccesses({ components, paths, ...document }: OpenAPI3): OpenAPI3 {
  const operations = Object.values(paths ?? {}).flatMap((methods) => Object.values(methods));
  for (const { responses } of operations as readonly Operation[]) {
    for (const [status, response] of Object.entries(responses)) {
      if (status.startsWith('2')) delete response.headers;
      else delete responses[status];
    }
  }
  const { schemas, securitySchemes } = components ?? {};
  return {
    ...document,
    ...(paths ? { paths } : {}),
    components: { ...(schemas ? { schemas } : {}), ...(securitySchemes ? { securitySchemes } : {}) },
  };
}

interface Operation {
  readonly responses: Record<string, { headers?: unknown }>;
}
