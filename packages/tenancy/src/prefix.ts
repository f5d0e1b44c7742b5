/**
 * The prefix of a hospital: the name of its `Hospital` object, and the seed of every other name.
 * The CRD has the same rules as CEL, so the API server refuses what this refuses.
 */

import { MODULE_NAMES } from './modules.ts';

const PREFIX = /^[a-z][a-z0-9-]{1,30}[a-z0-9]$/;
/** The same without two hyphens in a row, for lengths from 3 to 32. */
export const PREFIX_PATTERN = '^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$';

/** Names that an engine or the platform itself uses. */
const RESERVED: ReadonlySet<string> = new Set([
  'master',
  'public',
  'postgres',
  'admin',
  'default',
  'system',
  'kong',
  'template0',
  'template1',
  'information-schema',
  // Names that the platform's own hosts and modules use, or may use, under its domain.
  ...MODULE_NAMES,
  'api',
  'www',
  'localhost',
  'portal',
  'gateway',
  'keycloak',
  'operator',
  'platform',
]);

/**
 * Validates a prefix.
 * @returns a sentence for people, or undefined if the prefix is valid.
 */
export function prefixProblem(prefix: string): string | undefined {
  if (!PREFIX.test(prefix)) {
    return `"${prefix}" can't be a hospital's prefix: use 3 to 32 lower-case letters, digits and hyphens, starting with a letter and ending with a letter or digit, like st-mary`;
  }
  if (prefix.includes('--')) return `"${prefix}" has two hyphens in a row: use one, like st-mary`;
  if (RESERVED.has(prefix) || prefix.startsWith('pg-')) {
    return `"${prefix}" is reserved for the platform: choose another prefix, like ${prefix.replace(/^pg-/, '')}-hospital`;
  }
  return undefined;
}
