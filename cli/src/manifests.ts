/** Hospitals in files, folders and standard input, checked before any of them is applied. */
import fs from 'node:fs';
import path from 'node:path';
import { codeOf, type Manifest } from '@hms/local';
import { prefixProblem } from '@hms/tenancy';
import { type Document, parseAllDocuments } from 'yaml';
import { EXIT, Exit } from './exit.ts';
import { readText, sourceName } from './input.ts';

/** A hospital to apply, with its source, such as `hospitals.yaml, document 2`. */
export interface HospitalManifest {
  readonly manifest: Manifest;
  readonly source: string;
}

const LIMIT = 4 * 1024 * 1024;
/** The name becomes part of a path. The API server judges all others, because older hospitals may keep their name. */
const PART_OF_A_PATH = /^[\w.-]*\w[\w.-]*$/;
const MANIFEST_FILE = /\.(ya?ml|json)$/;

/** Fields that the API server writes. Printed objects contain them, but a request to apply must not. */
const SERVER_FIELDS = [
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'finalizers',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
];

/**
 * One-time annotations, and kubectl's own. A confirmation to delete would count as a new one when an
 * old manifest is applied again.
 */
const MOMENTARY_ANNOTATIONS = [
  'hms.dev/confirm-delete',
  'hms.dev/force-finalize',
  'hms.dev/reconcile-requested-at',
  'hms.dev/rotate-key-requested-at',
  'kubectl.kubernetes.io/last-applied-configuration',
];

/**
 * @param filenames files, folders, and `-` for standard input.
 * @throws Exit that names each file and document that is not a hospital.
 */
export async function readHospitals(filenames: readonly string[], recursive = false): Promise<HospitalManifest[]> {
  if (filenames.filter((name) => name === '-').length > 1)
    throw new Exit(EXIT.usage, 'standard input can be read only once: use -f - once.');
  const manifests: HospitalManifest[] = [];
  const problems: string[] = [];
  for (const file of filenames.flatMap((name) => filesOf(name, recursive))) {
    const text = await readText(file, { what: 'a manifest in YAML or JSON', limit: LIMIT });
    const parsed = hospitalsIn(text, sourceName(file));
    manifests.push(...parsed.manifests);
    problems.push(...parsed.problems);
  }
  problems.push(...duplicates(manifests));
  if (problems.length > 0) throw new Exit(EXIT.failure, ['nothing was applied.', ...problems].join('\n'));
  return manifests;
}

/** The manifests in a folder, sorted, or the file itself. */
function filesOf(name: string, recursive: boolean): string[] {
  if (name === '-') return [name];
  const stat = fs.statSync(name, { throwIfNoEntry: false });
  if (name === '' || stat === undefined)
    throw new Exit(
      EXIT.usage,
      `"${name}" can't be read (ENOENT): name a file or folder with -f, or - for standard input.`,
    );
  if (!stat.isDirectory()) return [name];
  const files = manifestsIn(name, recursive);
  if (files.length === 0)
    throw new Exit(
      EXIT.usage,
      `${name} has no file that ends with .yaml, .yml or .json${recursive ? '' : '; -R also reads its subfolders'}.`,
    );
  return files;
}

function manifestsIn(folder: string, recursive: boolean): string[] {
  try {
    return fs
      .readdirSync(folder, { recursive, encoding: 'utf8' })
      .filter((name) => MANIFEST_FILE.test(name))
      .map((name) => path.join(folder, name))
      .filter((file) => !fs.statSync(file, { throwIfNoEntry: false })?.isDirectory())
      .sort();
  } catch (error) {
    throw new Exit(EXIT.usage, `${folder} can't be read (${codeOf(error) ?? error}).`);
  }
}

/** Exported for tests. @param name of the source. @returns the hospitals, and a sentence for everything else. */
export function hospitalsIn(text: string, name: string): { manifests: HospitalManifest[]; problems: string[] } {
  const manifests: HospitalManifest[] = [];
  const problems: string[] = [];
  const documents = documentsIn(text);
  if (!documents) return { manifests, problems: [`${name}: is nested too deeply for a manifest.`] };
  for (const [index, document] of documents.entries()) {
    const source = documents.length === 1 ? name : `${name}, document ${index + 1}`;
    try {
      for (const [place, object] of objectsIn(document, source)) {
        const problem = problemOf(object);
        if (problem) problems.push(`${place}: ${problem}`);
        else manifests.push({ manifest: written(object as Manifest), source: place });
      }
    } catch (error) {
      problems.push(`${source}: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
    }
  }
  if (manifests.length + problems.length === 0) problems.push(`${name}: has no hospital; see crds/samples for one.`);
  return { manifests, problems };
}

/** @returns undefined if the parser overflows the stack. */
function documentsIn(text: string): Document[] | undefined {
  try {
    return [...parseAllDocuments(text)] as Document[];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The objects of a document, with their sources: itself, or the items of a list. */
function objectsIn(document: Document, source: string): [place: string, object: unknown][] {
  const [error] = document.errors;
  if (error) throw new Error(`is not YAML: ${error.message}`);
  const value: unknown = document.toJS();
  if (value === null || value === undefined) return [];
  const items = itemsOf(value);
  return items ? items.map((item, index) => [`${source}, item ${index + 1}`, item]) : [[source, value]];
}

function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const { kind, items } = value as { kind?: unknown; items?: unknown };
  return (kind === 'List' || kind === 'HospitalList') && Array.isArray(items) ? items : undefined;
}

function problemOf(object: unknown): string | undefined {
  if (typeof object !== 'object' || object === null) return `is ${JSON.stringify(object)}, not a Kubernetes object.`;
  const { apiVersion, kind, metadata, spec } = object as { [field in keyof Written]?: unknown };
  const name = (metadata as { name?: unknown } | null | undefined)?.name;
  if (kind !== 'Hospital' || apiVersion !== 'hms.dev/v1')
    return `has kind ${kind ?? 'unset'} and apiVersion ${apiVersion ?? 'unset'}; write kind: Hospital and apiVersion: hms.dev/v1, and use kubectl for other kinds.`;
  if (typeof name !== 'string' || name === '') return "has no metadata.name: write the hospital's prefix there.";
  if (!PART_OF_A_PATH.test(name)) return `metadata.name ${prefixProblem(name)}.`;
  if (typeof spec !== 'object' || spec === null) return `hospital ${name} has no spec: write one, as in crds/samples.`;
  return undefined;
}

interface Written {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: object;
  readonly spec: object;
}

/** The object as in a manifest: without fields of the API server and the operator. */
function written({ apiVersion, kind, metadata, spec }: Manifest & { spec?: unknown }): Manifest {
  const { annotations, ...own } = without(metadata, SERVER_FIELDS);
  const kept = without(annotations, MOMENTARY_ANNOTATIONS);
  const some = Object.keys(kept).length > 0 ? { annotations: kept } : {};
  return { apiVersion, kind, metadata: { ...own, ...some }, spec } as unknown as Manifest;
}

function without(object: unknown, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object ?? {}).filter(([name]) => !names.includes(name)));
}

function duplicates(manifests: readonly HospitalManifest[]): string[] {
  const first = new Map<string, string>();
  return manifests.flatMap(({ manifest, source }) => {
    const { name } = manifest.metadata;
    const other = first.get(name);
    if (other === undefined) first.set(name, source);
    return other === undefined ? [] : [`${source}: hospital ${name} is also in ${other}; keep one of them.`];
  });
}
