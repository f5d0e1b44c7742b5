import { DATA_DIR, livingState, loadKubeConfig } from '@hms/local';
import { KubeConfig } from '@kubernetes/client-node';
import { EXIT, Exit } from './exit.ts';

/** The cluster to talk to: --kubeconfig, else KUBECONFIG, else the platform on this machine. */
export function kubeConfig(file: string | undefined): KubeConfig {
  if (file) return loadKubeConfig(file);
  if (process.env.KUBECONFIG) {
    // may be several files, which the library merges as kubectl does
    const config = new KubeConfig();
    config.loadFromDefault();
    return config;
  }
  const own = livingState(DATA_DIR)?.kubeconfig;
  if (!own)
    throw new Exit(
      EXIT.notFound,
      'the platform on this machine is not running: start it with make up, or name another cluster with --kubeconfig or KUBECONFIG.',
    );
  return loadKubeConfig(own);
}

/** Whether this is the API server of the platform on this machine. */
export function isOwnPlatform(config: KubeConfig): boolean {
  const own = livingState(DATA_DIR)?.kubeconfig;
  return own !== undefined && serverOf(loadKubeConfig(own)) === serverOf(config);
}

function serverOf(config: KubeConfig): string | undefined {
  return config.getCurrentCluster()?.server;
}
