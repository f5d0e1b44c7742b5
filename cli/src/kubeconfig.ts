import fs from 'node:fs';
import path from 'node:path';
import { DATA_DIR, livingState, loadKubeConfig } from '@hms/local';
import { KubeConfig } from '@kubernetes/client-node';
import { EXIT, Exit } from './exit.ts';

/** What names the cluster on the command line. */
export interface ClusterOptions {
  readonly kubeconfig?: string | undefined;
  readonly kubeContext?: string | undefined;
}

/**
 * The cluster to use: of --kubeconfig, otherwise KUBECONFIG, otherwise the platform on this machine. In it, the context
 * of --kube-context, otherwise its current one.
 */
export function kubeConfig({ kubeconfig, kubeContext }: ClusterOptions): KubeConfig {
  const config = configOf(kubeconfig);
  const source = kubeconfig ?? (process.env.KUBECONFIG || 'the kubeconfig');
  if (kubeContext === undefined) return withContext(config, source);
  const names = config.getContexts().map(({ name }) => name);
  if (!names.includes(kubeContext))
    throw new Exit(
      EXIT.usage,
      `--kube-context ${kubeContext} is not in the kubeconfig: name one of its contexts (${names.join(', ') || 'none'}).`,
    );
  config.setCurrentContext(kubeContext);
  return withContext(config, source);
}

function configOf(file: string | undefined): KubeConfig {
  if (file === '') throw new Exit(EXIT.usage, '--kubeconfig is empty: name a kubeconfig.');
  if (file !== undefined) return loadKubeConfig(file);
  if (process.env.KUBECONFIG) return mergedKubeConfig(process.env.KUBECONFIG);
  const own = livingState(DATA_DIR)?.kubeconfig;
  if (!own)
    throw new Exit(
      EXIT.notFound,
      'the platform on this machine is not running: start it with make up, or name another cluster with --kubeconfig or KUBECONFIG.',
    );
  return loadKubeConfig(own);
}

/**
 * Several kubeconfigs as kubectl reads them: missing files are skipped, the first file to name a cluster, user,
 * context or current context decides it, and relative paths start at the folder of their own file.
 * Exported for tests.
 *
 * @param files as in `KUBECONFIG`, separated by colons.
 */
export function mergedKubeConfig(files: string): KubeConfig {
  const names = files.split(path.delimiter).filter((name) => name !== '');
  const there = names.filter((name) => fs.existsSync(name));
  if (there.length === 0)
    throw new Exit(
      EXIT.usage,
      `KUBECONFIG names ${names.join(' and ') || 'no file'}, which ${names.length > 1 ? 'do' : 'does'} not exist: name a kubeconfig, or unset KUBECONFIG to use the platform on this machine.`,
    );
  const configs = there.map((name) => (isEmpty(name) ? new KubeConfig() : loadKubeConfig(path.resolve(name))));
  const merged = new KubeConfig();
  merged.loadFromOptions({
    clusters: firstOfEach(configs.flatMap(({ clusters }) => clusters ?? [])),
    users: firstOfEach(configs.flatMap(({ users }) => users ?? [])),
    contexts: firstOfEach(configs.flatMap(({ contexts }) => contexts ?? [])),
    currentContext: configs.find(({ currentContext }) => currentContext)?.currentContext ?? '',
  });
  return merged;
}

/** An empty file sets nothing. kubectl writes one for a new user. */
function isEmpty(file: string): boolean {
  const stat = fs.statSync(file);
  return stat.isFile() && stat.size === 0;
}

function firstOfEach<T extends { readonly name: string }>(all: readonly T[]): T[] {
  return all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index);
}

function withContext(config: KubeConfig, source: string): KubeConfig {
  if (config.getCurrentCluster()) return config;
  const contexts = (config.contexts ?? []).map(({ name }) => name).join(', ') || 'none';
  const what = config.currentContext
    ? `current-context ${config.currentContext}, which has no cluster`
    : 'no current-context';
  throw new Exit(
    EXIT.usage,
    `${source} has ${what}: choose a context with --kube-context or kubectl config use-context (contexts: ${contexts}).`,
  );
}

/** Whether this is the API server of the platform on this machine. */
export function isOwnPlatform(config: KubeConfig): boolean {
  const own = livingState(DATA_DIR)?.kubeconfig;
  return own !== undefined && serverOf(loadKubeConfig(own)) === serverOf(config);
}

function serverOf(config: KubeConfig): string | undefined {
  return config.getCurrentCluster()?.server;
}
