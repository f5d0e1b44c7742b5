/** `hmsctl __complete`: names for a shell that completes. It is quick, and silent if anything fails. */

import { parseArgs } from 'node:util';
import { KubernetesClient } from '@hms/kubernetes';
import { kubeConfig } from '../kubeconfig.ts';
import { contextName, listSessions } from '../sessions.ts';

/** A person waits for the answer. */
const TIMEOUT_MS = 2_000;

/** Prints one name per line. @param args `hospitals`, `contexts` or `kube-contexts`, and options that choose the cluster. */
export async function printNames(args: readonly string[]): Promise<void> {
  try {
    for (const name of await namesOf(args)) process.stdout.write(`${name}\n`);
  } catch {
    // A message would be put into the line that somebody types.
  }
}

async function namesOf(args: readonly string[]): Promise<readonly string[]> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { kubeconfig: { type: 'string' }, 'kube-context': { type: 'string' } },
  });
  const [what] = positionals;
  if (what === 'contexts') return listSessions().map(contextName);
  const config = kubeConfig({ kubeconfig: values.kubeconfig, kubeContext: values['kube-context'] });
  if (what === 'kube-contexts') return config.getContexts().map(({ name }) => name);
  const { items } = await new KubernetesClient(config).request<{ items: { metadata: { name: string } }[] }>(
    'GET',
    '/apis/hms.dev/v1/hospitals',
    { signal: AbortSignal.timeout(TIMEOUT_MS) },
  );
  return items.map(({ metadata }) => metadata.name);
}
