/** For tests of what needs no cluster. */
import { KubernetesClient } from '@hms/kubernetes';
import type { Platform } from '@hms/service';
import { KubeConfig } from '@kubernetes/client-node';
import { Cluster } from './cluster/cluster.ts';

/** Of a platform at hms.test. */
export const HOST_RULES = { domain: 'hms.test', platformHosts: ['hms.test', 'console.hms.test'] };

/** No API server listens there. */
export function unreachableCluster({ db, log }: Pick<Platform, 'db' | 'log'>): Cluster {
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    { name: 'none', server: 'http://127.0.0.1:1', skipTLSVerify: false },
    { name: 'nobody' },
  );
  return new Cluster({ client: new KubernetesClient(config), db, log, leaseNamespace: 'default', leaseName: 'none' });
}
