/** The module console: administration of the platform. */
import { hostRules } from '@hms/hospitals/hosts';
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
    /** As the operator's: which hosts no hospital can have. */
    PLATFORM_DOMAIN: z.string().regex(/^[a-z0-9.-]+$/),
    PORTAL_ORIGIN: z.url(),
    CONSOLE_ORIGIN: z.url(),
  },
  define: async (platform, { LEASE_NAMESPACE, LEASE_NAME, ...addresses }) => {
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
    return consoleModule(platform, cluster, hostRules({ ...addresses, BASE_URL: platform.baseUrl }));
  },
});
