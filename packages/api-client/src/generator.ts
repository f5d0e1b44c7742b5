/** Types from OpenAPI documents. Only `npm run api-types` uses it. */
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';

/**
 * The source of the types of one module: `paths`, `components`, `operations`.
 * @param document of OpenAPI 3.1. Equal documents give equal sources.
 */
export async function typesOf(document: object): Promise<string> {
  // A field with a default may be left out by the client that sends it.
  const tree = await openapiTS(structuredClone(document) as Parameters<typeof openapiTS>[0], {
    defaultNonNullable: false,
    silent: true,
  });
  return COMMENT_HEADER + astToString(tree);
}
