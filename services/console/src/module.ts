import type { ModuleDefinition, Platform } from '@hms/service';
import { auditRoute } from './audit/audit.routes.ts';
import type { Cluster } from './cluster/cluster.ts';
import { Follows } from './hospitals/follow.ts';
import { hospitalRoutes } from './hospitals/hospitals.routes.ts';
import { HospitalService } from './hospitals/hospitals.service.ts';
import { usageRoute } from './hospitals/usage.routes.ts';
import { roleTemplateRoutes } from './role-templates/role-templates.routes.ts';

/** @param cluster which the module ends. */
export function consoleModule(platform: Pick<Platform, 'db' | 'storage'>, cluster: Cluster): ModuleDefinition {
  const follows = new Follows();
  const service = new HospitalService({ db: platform.db, cluster });
  return {
    name: 'console',
    version: '0.1.0',
    title: 'Platform administration',
    routes: [
      ...hospitalRoutes({ service, cluster, follows, storage: platform.storage }),
      usageRoute({ service, db: platform.db }),
      ...roleTemplateRoutes(platform),
      auditRoute(platform),
    ],
    stopping: () => follows.end(),
    end: () => cluster.end(),
  };
}
