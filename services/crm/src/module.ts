import { Renderer } from '@hms/documents';
import type { ModuleDefinition } from '@hms/service';
import { familyRoutes } from './families/families.routes.ts';
import { vipRoutes } from './vip/vip.routes.ts';
import { expiry } from './visitors/expiry.ts';
import { insideRoutes } from './visitors/inside.ts';
import { passRoute } from './visitors/pass.ts';
import { visitorRoutes } from './visitors/visitors.routes.ts';

export function crmModule(): ModuleDefinition {
  const renderer = new Renderer();
  return {
    name: 'crm',
    version: '0.1.0',
    title: 'Customer relationship',
    routes: [...familyRoutes, ...vipRoutes, ...insideRoutes(renderer), ...visitorRoutes, passRoute(renderer)],
    tasks: [expiry],
    end: () => renderer.end(),
  };
}
