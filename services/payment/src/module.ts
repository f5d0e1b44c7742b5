import { Renderer } from '@hms/documents';
import { fileSettleTask } from '@hms/domain/issued-files';
import type { ModuleDefinition, Platform } from '@hms/service';
import { chargeRoutes } from './charges.routes.ts';
import { depositRoutes } from './deposits.routes.ts';
import { paymentFhirErrors, paymentFhirRoutes } from './fhir/fhir.routes.ts';
import { InvariantChecks } from './invariant-check.ts';
import { invoiceRoutes } from './invoices.routes.ts';
import { invoicePdfTask, paperRoutes } from './papers.routes.ts';
import { priceRoutes } from './prices.routes.ts';
import { reconciliationRoutes } from './reconciliation.routes.ts';
import { refundRoutes } from './refunds.routes.ts';
import { shiftRoutes } from './shifts.routes.ts';
import { statementRoutes } from './statements.routes.ts';

export function paymentModule(platform: Platform): ModuleDefinition {
  const renderer = new Renderer();
  const checks = new InvariantChecks(platform);
  return {
    name: 'payment',
    version: '0.1.0',
    title: 'Payments',
    routes: [
      ...[...priceRoutes, ...chargeRoutes, ...invoiceRoutes, ...depositRoutes, ...refundRoutes],
      ...[...paperRoutes(platform, renderer), ...reconciliationRoutes, ...shiftRoutes, ...statementRoutes],
      ...paymentFhirRoutes,
    ],
    errorFormats: [paymentFhirErrors],
    tasks: [invoicePdfTask(platform, renderer), fileSettleTask(platform.storage), checks.task],
    measures: [checks.measure],
    end: () => renderer.end(),
  };
}
