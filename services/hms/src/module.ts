import { Renderer } from '@hms/documents';
import { fileSettleTask } from '@hms/domain/issued-files';
import { prescriptionExpiry } from '@hms/domain/prescriptions';
import type { ModuleDefinition, Platform } from '@hms/service';
import { absenceRoutes } from './absences/absences.routes.ts';
import { clinicRoutes } from './clinics/clinics.routes.ts';
import { departmentRoutes } from './departments/departments.routes.ts';
import { documentRoutes, settleTask } from './documents/documents.routes.ts';
import { labelsRoute } from './documents/labels.ts';
import { summaryRoute, summaryTask } from './documents/summary.ts';
import { employeeRoutes } from './employees/employees.routes.ts';
import { hmsFhirErrors, hmsFhirRoutes } from './fhir/fhir.routes.ts';
import { analyserRoute } from './laboratory/analyser.routes.ts';
import { catalogueRoutes } from './laboratory/catalogue.routes.ts';
import { specimenLabelsRoute } from './laboratory/labels.ts';
import { labOrderRoutes } from './laboratory/orders.routes.ts';
import { reportRoute, reportTask } from './laboratory/report.ts';
import { noticeRoutes } from './notices/notices.routes.ts';
import { accessRoute } from './patients/access.route.ts';
import { importRemoval, importRoutes, importTask } from './patients/imports.routes.ts';
import { mergingRoutes } from './patients/merging.routes.ts';
import { patientRoutes } from './patients/patients.routes.ts';
import { timelineRoute } from './patients/timeline.route.ts';
import { drugRoutes } from './pharmacy/catalogue.routes.ts';
import { dispenseLabelsRoute } from './pharmacy/labels.ts';
import { prescriptionPdfRoute, prescriptionPdfTask } from './pharmacy/pdf.ts';
import { dispenseRoutes, prescriptionRoutes } from './pharmacy/prescriptions.routes.ts';
import { countRoutes, stockRoutes } from './pharmacy/stock.routes.ts';
import { stockCheckTask } from './pharmacy/stock-check.ts';
import { roleRoutes } from './roles/roles.routes.ts';
import { roomRoutes } from './rooms/rooms.routes.ts';
import { scheduleRoutes } from './schedules/schedules.routes.ts';
import { searchRoute } from './search/search.routes.ts';
import type { UsagePlanner } from './usage/planner.ts';
import { usageTask } from './usage/usage-task.ts';

/** @param planner which the module starts and ends, in a process of its own. */
export function hmsModule(platform: Platform, planner?: UsagePlanner): ModuleDefinition {
  planner?.start();
  const renderer = new Renderer();
  const settle = settleTask(platform);
  const summary = summaryTask(platform, renderer, settle);
  return {
    name: 'hms',
    version: '0.1.0',
    title: 'Core hospital management',
    routes: [
      ...[
        ...patientRoutes,
        ...mergingRoutes,
        accessRoute,
        timelineRoute,
        ...importRoutes,
        ...documentRoutes(platform, settle),
        summaryRoute(summary),
        labelsRoute(renderer),
      ],
      ...[...employeeRoutes, ...roleRoutes],
      ...[...departmentRoutes, ...clinicRoutes, ...roomRoutes, ...scheduleRoutes, ...absenceRoutes],
      searchRoute,
      ...noticeRoutes,
      ...[...catalogueRoutes, ...labOrderRoutes, analyserRoute],
      ...[...drugRoutes, ...stockRoutes, ...countRoutes, ...prescriptionRoutes, ...dispenseRoutes],
      ...[specimenLabelsRoute(renderer), reportRoute(platform), prescriptionPdfRoute(platform)],
      dispenseLabelsRoute(renderer),
      ...hmsFhirRoutes,
    ],
    errorFormats: [hmsFhirErrors],
    tasks: [
      settle,
      summary,
      importTask,
      importRemoval,
      reportTask(platform, renderer),
      fileSettleTask(platform.storage),
      prescriptionPdfTask(platform, renderer),
      prescriptionExpiry,
      stockCheckTask,
      usageTask(platform),
    ],
    end: async () => {
      await Promise.all([renderer.end(), planner?.end()]);
    },
  };
}
