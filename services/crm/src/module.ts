import { familyConstraints } from '@hms/domain/families';
import type { ModuleDefinition } from '@hms/service';
import { familyRoutes } from './families/families.routes.ts';

export const crmModule: ModuleDefinition = {
  name: 'crm',
  version: '0.1.0',
  title: 'Customer relationship',
  routes: [...familyRoutes],
  constraints: { ...familyConstraints },
};
