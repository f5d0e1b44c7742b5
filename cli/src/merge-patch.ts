/** JSON merge patches (RFC 7396). */
import { isDeepStrictEqual } from 'node:util';

/** @returns the patch that makes `after` of `before`, or undefined if they are equal. Lists are replaced whole. */
export function mergePatch(before: object, after: object): Record<string, unknown> | undefined {
  const [old, wanted] = [before, after] as Readonly<Record<string, unknown>>[];
  const patch: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(old ?? {}), ...Object.keys(wanted ?? {})])) {
    const [was, is] = [old?.[name], wanted?.[name]];
    if (isDeepStrictEqual(was, is)) continue;
    patch[name] = is === undefined ? null : isObject(is) ? (mergePatch(isObject(was) ? was : {}, is) ?? {}) : is;
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
