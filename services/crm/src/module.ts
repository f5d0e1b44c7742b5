import type { ModuleDefinition } from '@hms/service';
import { familyConstraints } from './families/families.errors.ts';
import { familyRoutes } from './families/families.routes.ts';

export const crmModule: ModuleDefinition = {
  name: 'crm',
  version: '0.1.0',
  title: 'Customer relationship',
  routes: [...familyRoutes],
  constraints: { ...familyConstraints },
};
