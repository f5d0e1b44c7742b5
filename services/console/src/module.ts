import type { ModuleDefinition, Platform } from '@hms/service';
import { auditRoute } from './audit/audit.routes.ts';
import { roleTemplateRoutes } from './role-templates/role-templates.routes.ts';

export function consoleModule(platform: Pick<Platform, 'db'>): ModuleDefinition {
  return {
    name: 'console',
    version: '0.1.0',
    title: 'Platform administration',
    routes: [...roleTemplateRoutes(platform), auditRoute(platform)],
  };
}
