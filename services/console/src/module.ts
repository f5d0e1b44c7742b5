import type { HostRules } from '@hms/hospitals/hosts';
import type { ModuleDefinition, Platform } from '@hms/service';
import { auditRoute } from './audit/audit.routes.ts';
import type { Cluster } from './cluster/cluster.ts';
import { hospitalRoutes } from './hospitals/hospitals.routes.ts';
import { HospitalService } from './hospitals/hospitals.service.ts';
import { usageRoute } from './hospitals/usage.routes.ts';
import { platformRoutes } from './platform/platform.routes.ts';
import { roleTemplateRoutes } from './role-templates/role-templates.routes.ts';

/** @param cluster which the module ends. */
export function consoleModule(
  platform: Pick<Platform, 'db' | 'storage'>,
  cluster: Cluster,
  hosts: HostRules,
): ModuleDefinition {
  const service = new HospitalService({ db: platform.db, cluster, hosts });
  return {
    name: 'console',
    version: '0.1.0',
    title: 'Platform administration',
    routes: [
      ...platformRoutes({ db: platform.db, cluster }),
      ...hospitalRoutes({ service, cluster, storage: platform.storage }),
      usageRoute({ service, db: platform.db }),
      ...roleTemplateRoutes(platform),
      auditRoute(platform),
    ],
    end: () => cluster.end(),
  };
}
