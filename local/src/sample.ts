/** Applies a hospital's manifest and prints its progress. */
import { KubernetesClient, readManifest } from '@hms/kubernetes';
import { apply, type Condition, conditionsOf, loadKubeConfig, type Manifest, readManifests } from './kube.ts';
import { poll } from './poll.ts';
import { Problem, sentence } from './problem.ts';
import { duration } from './report.ts';

export interface SampleOptions {
  readonly kubeconfig: string;
  readonly manifest: string;
  /** Milliseconds until the hospital must be Ready. */
  readonly timeout: number;
  readonly write: (line: string) => void;
  /** Log to check if it doesn't become ready. */
  readonly hint: string;
  readonly signal: AbortSignal;
}

/** @returns the hospital's name. Throws with the conditions if it is not Ready in time. */
export async function applySample(options: SampleOptions): Promise<string> {
  const { kubeconfig, manifest, timeout, write, hint, signal } = options;
  const config = loadKubeConfig(kubeconfig);
  const start = performance.now();
  const [hospital] = await apply(config, readManifests(manifest)).catch((error: unknown): never => {
    throw new Problem(`${manifest} is refused: ${sentence(error)}`);
  });
  if (!hospital) throw new Problem(`${manifest} contains no object.`);
  const client = new KubernetesClient(config);
  const printed = new Set<string>();
  let latest: Manifest = hospital;
  const ready = await poll(
    async () => {
      latest = await readManifest(client, latest);
      for (const type of trueOf(latest)) {
        if (printed.has(type)) continue;
        printed.add(type);
        write(`  ✓ ${`${hospital.metadata.name} ${type}`.padEnd(32)} ${duration(performance.now() - start)}`);
      }
      return isDone(latest) || undefined;
    },
    { timeout, interval: 200, signal },
  );
  if (ready) return hospital.metadata.name;
  const conditions = conditionsOf(latest).map(conditionLine);
  const lines = conditions.length > 0 ? conditions : ['    no conditions: the operator has not reconciled it'];
  throw new Problem(
    [
      `${hospital.metadata.name} is not Ready after ${duration(timeout)}:`,
      ...lines,
      `The operator's log is ${hint}`,
    ].join('\n'),
  );
}

/** An object as a server returns it, or as somebody wrote it. */
interface Named {
  readonly metadata: { readonly name?: string };
}

/** Whether it matches its spec. A suspended hospital is never Ready: it is done when it is closed. */
export function isDone(hospital: Named): boolean {
  const { state } = (hospital as { spec?: { state?: string } }).spec ?? {};
  return isTrue(hospital, state === 'Suspended' ? 'Suspended' : 'Ready');
}

/** Whether a condition is True for the current spec. */
export function isTrue(hospital: Named, condition: string): boolean {
  const generation = (hospital.metadata as { generation?: number }).generation;
  return conditionsOf(hospital).some(
    ({ type, status, observedGeneration }) =>
      type === condition && status === 'True' && (observedGeneration ?? generation) === generation,
  );
}

export function conditionLine({ type, status, reason, message }: Condition): string {
  return `    ${type}=${status}${reason ? ` ${reason}` : ''}${message ? `: ${message}` : ''}`;
}

function trueOf(hospital: Manifest): string[] {
  const types = conditionsOf(hospital).flatMap(({ type, status }) =>
    status === 'True' && type.endsWith('Ready') ? [type] : [],
  );
  // The backends' conditions, then the summary.
  return types.sort((a, b) => b.length - a.length);
}
