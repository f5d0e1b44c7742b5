import { Renderer } from '@hms/documents';
import { clinicConstraints } from '@hms/domain/clinics';
import { departmentConstraints } from '@hms/domain/departments';
import { employeeConstraints } from '@hms/domain/employees';
import { familyConstraints } from '@hms/domain/families';
import type { ModuleDefinition, Platform } from '@hms/service';
import { clinicRoutes } from './clinics/clinics.routes.ts';
import { departmentRoutes } from './departments/departments.routes.ts';
import { documentRoutes, settleTask } from './documents/documents.routes.ts';
import { summaryRoute, summaryTask } from './documents/summary.ts';
import { employeeRoutes } from './employees/employees.routes.ts';
import { accessRoute } from './patients/access.route.ts';
import { patientRoutes } from './patients/patients.routes.ts';
import { roleRoutes } from './roles/roles.routes.ts';

export function hmsModule(platform: Platform): ModuleDefinition {
  const renderer = new Renderer();
  const settle = settleTask(platform);
  const summary = summaryTask(platform, renderer, settle);
  return {
    name: 'hms',
    version: '0.1.0',
    title: 'Core hospital management',
    routes: [
      ...[...patientRoutes, accessRoute, ...documentRoutes(platform, settle), summaryRoute(summary)],
      ...[...employeeRoutes, ...departmentRoutes, ...clinicRoutes, ...roleRoutes],
    ],
    tasks: [settle, summary],
    constraints: { ...familyConstraints, ...employeeConstraints, ...departmentConstraints, ...clinicConstraints },
    end: () => renderer.end(),
  };
}
