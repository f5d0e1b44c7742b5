/** Finds all that the API server refuses in the manifest of a hospital. */
import { randomBytes } from 'node:crypto';
import { KubernetesError, type RefusedField } from '@hms/kubernetes';
import { prefixProblem } from '@hms/tenancy';

export interface Refusal {
  /** Path, such as `spec.timezone` or `metadata.name`. Undefined: it is about no field. */
  readonly field: string | undefined;
  /** A sentence for people. */
  readonly message: string;
}

/**
 * The API server refuses a name before it looks at the fields, checks rules only in an object without wrong types, and
 * requires all parts of an owner. What it refuses is replaced, and the rest is tried again.
 * @param dryRun asks the API server about a manifest.
 * @returns everything that is wrong.
 * @throws what `dryRun` throws at first, if it is not about the content.
 */
export async function refusalsOf(
  manifest: object,
  dryRun: (manifest: object) => Promise<unknown>,
): Promise<readonly Refusal[]> {
  const found: Refusal[] = [];
  const tried = structuredClone(manifest) as Part;
  const passed = new Set<string>();
  const name = String((tried.metadata as Part | undefined)?.name);
  for (;;) {
    try {
      await dryRun(tried);
      return found;
    } catch (error) {
      if (isOfContent(error)) {
        const all = refusalsIn(error).map(({ field, message }) => ({
          field,
          // Kubernetes' own sentence is about names of all objects.
          message: (field === NAME ? prefixProblem(name) : undefined) ?? message,
        }));
        const named = all.filter(({ field }) => field !== undefined);
        // The summary that rules were not checked is worth a word only if nothing else is known.
        const worth = named.length > 0 || found.length > 0 ? named : all;
        found.push(
          ...worth.filter(({ field }) => field === undefined || !found.some((known) => known.field === field)),
        );
        if (named.map(({ field = '' }) => replace(tried, field, passed)).includes(true)) continue;
      }
      if (found.length === 0) throw error;
      return found;
    }
  }
}

/** A name that no hospital has, for dry runs. */
export function placeholderName(): string {
  return `dry-run-${randomBytes(6).toString('hex')}`;
}

/** Whether the API server refuses what was sent, and not who sends it. */
export function isOfContent(error: unknown): error is KubernetesError {
  return error instanceof KubernetesError && (error.status === 422 || error.status === 400);
}

/** What one answer says, each field once. */
export function refusalsIn({ fields, message }: KubernetesError): readonly Refusal[] {
  const found = new Map<string | undefined, string>();
  for (const refused of fields) {
    const text = sentenceOf(refused.message);
    const field = fieldOf(refused, text);
    if (!found.has(field)) found.set(field, text);
  }
  if (found.size === 0) found.set(undefined, message);
  return [...found].map(([field, text]) => ({ field, message: text }));
}

/** Rules of the whole object name what they are about in their sentences. A list's field has an index. */
function fieldOf({ field }: RefusedField, text: string): string | undefined {
  if (text.startsWith('metadata.name ')) return NAME;
  return field === '' || field === '<nil>' ? undefined : field.replace(/\[.*$/, '');
}

/** The sentence of a rule, without what the API server writes before it. */
function sentenceOf(text: string): string {
  return text
    .replace(/^Invalid value: (?:"(?:\\.|[^"\\])*"|\{[^}]*\}|\S+?): /s, '')
    .replace(/^Unsupported value: ("(?:\\.|[^"\\])*"): supported values: (.*)$/s, '$1 is not allowed: write $2.')
    .replace(/^Too long: may not be more than (\d+) (?:bytes|characters)$/, 'is too long: write at most $1 characters.')
    .replace(/^Required value$/, 'is missing.');
}

type Part = Record<string, unknown>;

const NAME = 'metadata.name';
/** What passes, for what every hospital needs. */
const PASSING: Readonly<Record<string, () => unknown>> = {
  [NAME]: placeholderName,
  'spec.displayName': () => 'Hospital',
  'spec.owner': () => ({ email: 'owner@hospital.example', firstName: 'Ann', lastName: 'Lee' }),
};

/** @param passed what has a passing value already. @returns whether anything is different now. */
function replace(manifest: Part, field: string, passed: Set<string>): boolean {
  const path = field.split('.');
  const [key, passing] = Object.entries(PASSING).find(([name]) => field === name || field.startsWith(`${name}.`)) ?? [];
  if (key === undefined || passing === undefined) return remove(manifest, path);
  if (passed.has(field)) return false;
  passed.add(field);
  const [outer = '', inner = ''] = key.split('.');
  const before = manifest[outer] as Part | undefined;
  const part = path[2];
  // What else it has may be refused as well.
  const kept =
    part !== undefined && isPart(before?.[inner]) ? { ...before[inner], [part]: (passing() as Part)[part] } : undefined;
  manifest[outer] = { ...before, [inner]: kept ?? passing() };
  return true;
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null;
}

/** Removes a value, or what lacks it. */
function remove(manifest: Part, path: readonly string[]): boolean {
  for (let length = path.length; length > 1; length -= 1) {
    const place = path
      .slice(0, length - 1)
      .reduce<unknown>((part, name) => (part as Part | undefined)?.[name], manifest);
    const name = path[length - 1] ?? '';
    if (typeof place === 'object' && place !== null && Object.hasOwn(place, name)) {
      delete (place as Part)[name];
      return true;
    }
  }
  return false;
}
