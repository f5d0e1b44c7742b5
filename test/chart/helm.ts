/** Renders the chart with Helm from its package, as people get it, so that there are no warnings. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { $, type ProcessOutput } from 'zx';
import { tool } from '../support/tools.ts';
import type { Values } from './combinations.ts';

export const CHART = path.resolve(import.meta.dirname, '../../charts/hms');
/** The oldest Kubernetes that the chart supports, and the one that the tests use. */
export const KUBERNETES = ['1.30.0', '1.34.4'] as const;

/** A Kubernetes object, with the common fields that the tests use. */
export interface Rendered {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
}

export interface Chart {
  /** @throws Error with Helm's message, for refused values. */
  render(values: Values, options?: { release?: string; namespace?: string; kubernetes?: string }): Promise<Rendered[]>;
  /** @returns the notes that Helm prints after an install. */
  notes(values: Values): Promise<string>;
  /** @returns the problems of `helm lint --strict`. */
  lint(values: Values): Promise<string>;
  remove(): void;
}

/** @param source folder of the chart. */
export async function packChart(source = CHART): Promise<Chart> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hms-chart-'));
  const program = tool('helm');
  const helm = (...args: readonly string[]) =>
    $({ quiet: true })`${program} ${args}`.catch(({ stderr }: ProcessOutput): never => {
      throw new Error(stderr);
    });
  await helm('package', source, '--destination', folder);
  const [name = ''] = fs.readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  const file = path.join(folder, name);
  let counter = 0;
  /** Tests render the same values repeatedly. */
  const rendered = new Map<string, Promise<Rendered[]>>();
  const withValues = async <T>(values: Values, use: (valuesFile: string) => Promise<T>): Promise<T> => {
    const valuesFile = path.join(folder, `values-${counter++}.json`);
    fs.writeFileSync(valuesFile, JSON.stringify(values));
    return use(valuesFile);
  };
  return {
    render: (values, { release = 'hms', namespace = 'hms', kubernetes = KUBERNETES[1] } = {}) => {
      const where = ['--namespace', namespace, '--kube-version', kubernetes];
      const key = JSON.stringify([values, release, where]);
      const objects =
        rendered.get(key) ??
        withValues(values, async (valuesFile) => {
          const { stdout, stderr } = await helm('template', release, file, ...where, '--values', valuesFile);
          if (stderr) throw new Error(`helm template warns: ${stderr}`);
          return objectsIn(stdout);
        });
      rendered.set(key, objects);
      return objects;
    },
    notes: (values) =>
      withValues(values, async (valuesFile) => {
        // Helm renders them only for a cluster, unless an object contains them.
        const copy = fs.mkdtempSync(path.join(folder, 'notes-'));
        fs.cpSync(source, copy, { recursive: true, dereference: true });
        const text = '{{ include (print .Template.BasePath "/NOTES.txt") . | toJson }}';
        const object = `{apiVersion: v1, kind: ConfigMap, metadata: {name: notes}, data: {notes: ${text}}}`;
        fs.writeFileSync(path.join(copy, 'templates', 'notes.yaml'), object);
        const only = ['--show-only', 'templates/notes.yaml', '--kube-version', KUBERNETES[1]];
        const { stdout } = await helm('template', 'hms', copy, ...only, '--values', valuesFile);
        const [{ data = {} } = {}] = objectsIn(stdout) as { data?: { notes?: string } }[];
        return data.notes ?? '';
      }),
    lint: (values) =>
      withValues(values, async (valuesFile) => {
        const flags = ['--strict', '--quiet', '--kube-version', KUBERNETES[1]];
        const { stdout, stderr } = await helm('lint', file, ...flags, '--values', valuesFile);
        return `${stdout}${stderr}`.trim();
      }),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

/** Runs the work on all items, four at a time. */
export async function sideBySide<T, R>(all: readonly T[], work: (each: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = [...all.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  return results;
}

/** YAML as Kubernetes reads it: of version 1.1, where 0440 is octal and `on` is true. */
function objectsIn(text: string): Rendered[] {
  return parseAllDocuments(text, { version: '1.1', merge: true }).flatMap((document) => {
    const [error] = [...document.errors, ...document.warnings];
    if (error) throw new Error(`Helm rendered invalid YAML: ${error.message}`);
    const object = document.toJS() as Rendered | null;
    return object ? [object] : [];
  });
}

/** The pod template of a workload with its path, or undefined for other objects. */
export function podOf(object: Rendered): PodTemplate | undefined {
  return object.spec?.template as PodTemplate | undefined;
}

/** The pod of a workload, or the object itself if it is a pod. */
export function podIn(object: Rendered): PodTemplate | undefined {
  return object.kind === 'Pod' ? (object as unknown as PodTemplate) : podOf(object);
}

export interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: PodSpec;
}

interface PodSpec {
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly containers: readonly Container[];
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly Variable[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext: Readonly<Record<string, unknown>>;
}

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}
