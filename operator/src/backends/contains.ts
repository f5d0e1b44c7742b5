/**
 * Tells where `actual` lacks something of `wanted`. What `actual` has besides, as engines add defaults, is no difference.
 * Arrays are compared as sets: engines give them back in another order.
 *
 * @returns paths of what differs, like `attributes.pkce`; empty when all of `wanted` is there.
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
