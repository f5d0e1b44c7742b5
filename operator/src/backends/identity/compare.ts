/** Fields that Keycloak generates for each object, which are not part of its configuration. */
const GENERATED: ReadonlySet<string> = new Set([
  'id',
  'internalId',
  'containerId',
  'secret',
  'createdTimestamp',
  'client.secret.creation.time',
]);

/**
 * Compares two parts of a realm in both directions. Lists are compared as sets, because Keycloak returns them in any
 * order. Absent, null, false and empty are equal. Pure.
 *
 * @returns paths of the differences, such as `attributes.frontendUrl`.
 */
export function unequal(expected: unknown, actual: unknown, path = ''): string[] {
  if (isEmpty(expected) && isEmpty(actual)) return [];
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const same = (one: unknown, other: unknown) => unequal(one, other).length === 0;
    const isSame = expected.length === actual.length && expected.every((item) => actual.some((a) => same(item, a)));
    return isSame ? [] : [path];
  }
  if (isRecord(expected ?? {}) && isRecord(actual ?? {})) {
    const [one, other] = [asRecord(expected), asRecord(actual)];
    return [...new Set([...Object.keys(one), ...Object.keys(other)])]
      .filter((key) => !GENERATED.has(key))
      .flatMap((key) => unequal(one[key], other[key], path ? `${path}.${key}` : key));
  }
  return expected === actual ? [] : [path];
}

/**
 * `expected` in the form that overwrites `actual`. Keycloak keeps omitted fields, so unexpected fields are sent
 * empty. Pure.
 */
export function overwriting<T extends object>(expected: T, actual: object): T {
  const added = Object.entries(actual).filter(([key]) => !(key in expected) && !GENERATED.has(key));
  return { ...Object.fromEntries(added.map(([key, value]) => [key, emptied(value)])), ...expected };
}

/** A copy without generated fields, to create such an object again. Pure. */
export function withoutGenerated<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (key, part: unknown) => (GENERATED.has(key) ? undefined : part)) as T;
}

/** A copy without the keys that are compared separately. Pure. */
export function without<T extends object>(value: T, keys: readonly string[]): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key))) as Partial<T>;
}

/** What the first list has and the second lacks. Pure. */
export function missing(expected: readonly string[] = [], actual: readonly string[] = []): string[] {
  return expected.filter((item) => !actual.includes(item));
}

function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (isRecord(value)) return {};
  return typeof value === 'boolean' ? false : '';
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? (value as Readonly<Record<string, unknown>>) : {};
}
