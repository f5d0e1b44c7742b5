/** Types from OpenAPI documents. Only `npm run api-types` uses it. */
import openapiTS, { astToString, COMMENT_HEADER, type OpenAPI3 } from 'openapi-typescript';

/**
 * The source of the types of one module: `paths`, `components`, `operations`.
 * @param document of OpenAPI 3.1. Equal documents give equal sources.
 */
export async function typesOf(document: object): Promise<string> {
  // A field with a default may be left out by the client that sends it.
  const tree = await openapiTS(withoutFailures(structuredClone(document) as OpenAPI3), {
    defaultNonNullable: false,
    silent: true,
  });
  return COMMENT_HEADER + astToString(tree);
}

/** Clients read every failure as an `ApiError`, so that the types of each would only be long. */
function withoutFailures({ components, paths, ...document }: OpenAPI3): OpenAPI3 {
  const operations = Object.values(paths ?? {}).flatMap((methods) => Object.values(methods));
  for (const { responses } of operations as readonly { readonly responses: Record<string, unknown> }[])
    for (const status of Object.keys(responses)) if (!status.startsWith('2')) delete responses[status];
  return { ...document, ...(paths ? { paths } : {}), components: { ...components, responses: {} } };
}
