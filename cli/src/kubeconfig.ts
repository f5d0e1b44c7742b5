import fs from 'node:fs';
import { DATA_DIR, layout, loadKubeConfig, Problem } from '@hms/local';
import { KubeConfig } from '@kubernetes/client-node';

/** The cluster to talk to: --kubeconfig, else KUBECONFIG, else the platform on this machine. */
export function kubeConfig(file: string | undefined): KubeConfig {
  if (file) return loadKubeConfig(file);
  if (process.env.KUBECONFIG) {
    // may be several files, which the library merges as kubectl does
    const config = new KubeConfig();
    config.loadFromDefault();
    return config;
  }
  const own = layout(DATA_DIR).kubeconfig;
  if (!fs.existsSync(own))
    throw new Problem(
      'No cluster is known: start the platform with make up, or name a kubeconfig with --kubeconfig or KUBECONFIG.',
    );
  return loadKubeConfig(own);
}
