/** The module console: administration of the platform. */
import { KubernetesClient } from '@hms/kubernetes';
import { startModule } from '@hms/service';
import { KubeConfig } from '@kubernetes/client-node';
import { z } from 'zod';
import { Cluster } from './cluster/cluster.ts';
import { consoleModule } from './module.ts';

await startModule({
  name: 'console',
  settings: {
    /** Where the operator's Lease is, which shows whether one works. */
    LEASE_NAMESPACE: z.string().min(1).default('default'),
    LEASE_NAME: z.string().min(1).default('hms-operator'),
  },
  define: async (platform, { LEASE_NAMESPACE, LEASE_NAME }) => {
    // The file of KUBECONFIG, or the service account of the pod.
    const config = new KubeConfig();
    config.loadFromDefault();
    const { db, log } = platform;
    const cluster = new Cluster({
      client: new KubernetesClient(config),
      db,
      log,
      leaseNamespace: LEASE_NAMESPACE,
      leaseName: LEASE_NAME,
    });
    await cluster.start();
    return consoleModule(platform, cluster);
  },
});
