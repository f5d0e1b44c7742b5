/**
 * Finds where `actual` lacks something of `wanted`. Additional fields, such as an engine's defaults, do not count.
 * Arrays are compared as sets, because engines return them in any order.
 *
 * @returns paths of the differences, such as `attributes.pkce`. Empty if `actual` contains all of `wanted`.
 */
export function differences(wanted: unknown, actual: unknown, path = ''): string[] {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(actual) || actual.length !== wanted.length) return [path];
    return wanted.every((item) => actual.some((other) => differences(item, other).length === 0)) ? [] : [path];
  }
  if (isRecord(wanted)) {
    if (!isRecord(actual)) return [path];
    return Object.entries(wanted).flatMap(([key, value]) =>
      value === undefined ? [] : differences(value, actual[key], path ? `${path}.${key}` : key),
    );
  }
  return (wanted ?? null) === (actual ?? null) ? [] : [path];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
