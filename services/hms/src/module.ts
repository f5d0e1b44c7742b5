import { familyConstraints } from '@hms/domain/families';
import type { ModuleDefinition } from '@hms/service';
import { patientRoutes } from './patients/patients.routes.ts';

export const hmsModule: ModuleDefinition = {
  name: 'hms',
  version: '0.1.0',
  title: 'Core hospital management',
  routes: [...patientRoutes],
  constraints: { ...familyConstraints },
};
