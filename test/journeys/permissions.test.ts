/** Who may call which route: a table written by hand, compared with the code and with what running modules answer. */
import type { ModuleDefinition, Platform } from '@hms/service';
import { createTestHospital, startTestModule } from '@hms/service/testing';
import { CONSOLE_ROLES, HOSPITAL_ROLES, PERMISSIONS } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import { consoleModule } from '../../services/console/src/module.ts';
import { HOST_RULES, unreachableCluster } from '../../services/console/src/testing.ts';
import { crmModule } from '../../services/crm/src/module.ts';
import { hmsModule } from '../../services/hms/src/module.ts';
import { paymentModule } from '../../services/payment/src/module.ts';
import { queueModule } from '../../services/queue/src/module.ts';
import { moduleDefinitions } from '../openapi/documents.ts';
import { platform } from '../platform.ts';

const A = ['OWNER', 'ADMIN'];
const STAFF = [...A, 'DOCTOR', 'NURSE', 'RECEPTION', 'LAB_TECH', 'PHARMACIST', 'CASHIER', 'ACCOUNTANT'];
const CARE = [...A, 'DOCTOR', 'NURSE', 'RECEPTION'];
const LAB = [...A, 'LAB_TECH'];
const BENCH = ['LAB_TECH'];
const ORDERING = [...A, 'DOCTOR'];
const PHARMACY = [...A, 'PHARMACIST'];
const DISPENSING = ['PHARMACIST'];
const PRESCRIBING = ['DOCTOR'];
const DESK = [...A, 'RECEPTION'];
const CASH_DESK = [...A, 'CASHIER', 'ACCOUNTANT'];
const CASHIERS = [...A, 'CASHIER'];
const ACCOUNTING = [...A, 'ACCOUNTANT'];
const DOOR = [...DESK, 'NURSE'];
const FOLLOWING = [...STAFF, 'DISPLAY'];
const TOKEN = 'any token';
const ALL = 'everybody';
const SUPPORT = ['PLATFORM_ADMIN', 'PLATFORM_SUPPORT'];
const PLATFORM = ['PLATFORM_ADMIN'];

type Who = readonly string[] | typeof TOKEN | typeof ALL;

/** By hand: whoever changes who may do what changes it here as well. */
const EXPECTED: Readonly<Record<string, Who>> = {
  'GET /.well-known/jwks.json': ALL,
  'GET /api/auth/audit': A,
  'GET /api/auth/audit/export': A,
  'GET /api/auth/check': TOKEN,
  'GET /api/auth/displays': A,
  'GET /api/auth/displays/:id': A,
  'GET /api/auth/displays/changes': A,
  'POST /api/auth/displays': A,
  'PUT /api/auth/displays/:id': A,
  'DELETE /api/auth/displays/:id': A,
  'POST /api/auth/displays/:id/identify': A,
  'GET /api/auth/displays/me': ['DISPLAY'],
  'PUT /api/auth/displays/me/report': ['DISPLAY'],
  'POST /api/auth/displays/start': ALL,
  'POST /api/auth/displays/token': ALL,
  'GET /api/auth/hospitals': ALL,
  'GET /api/auth/hospitals/:name': ALL,
  'GET /api/auth/status': ALL,
  'POST /api/auth/patient-links/read': ALL,
  'POST /api/auth/patient-links/answer': ALL,
  'GET /api/auth/impersonations': A,
  'POST /api/auth/impersonations': SUPPORT,
  'GET /api/auth/impersonations/own': SUPPORT,
  'GET /api/auth/impersonations/people': SUPPORT,
  // The module decides: whoever acts, whoever is acted as, an owner.
  'POST /api/auth/impersonations/:id/end': TOKEN,
  'POST /api/auth/impersonations/:id/token': ALL,
  'POST /api/auth/invitations/accept': ALL,
  'POST /api/auth/invitations/read': ALL,
  'POST /api/auth/login': ALL,
  'POST /api/auth/logout': ALL,
  'GET /api/auth/me': TOKEN,
  'PUT /api/auth/password': TOKEN,
  'POST /api/auth/password/forgotten': ALL,
  'POST /api/auth/password/reset': ALL,
  'POST /api/auth/refresh': ALL,
  'POST /api/auth/resend': ALL,
  'POST /api/auth/verify': ALL,
  'GET /api/auth/verify/:sha256': ALL,

  'GET /api/hms/check': TOKEN,
  'GET /api/hms/patients': STAFF,
  'GET /api/hms/patients/:id': STAFF,
  'POST /api/hms/patients': CARE,
  'PUT /api/hms/patients/:id': CARE,
  'GET /api/hms/patients/:id/duplicates': STAFF,
  'GET /api/hms/patients/:id/labels': STAFF,
  'GET /api/hms/patients/:id/timeline': STAFF,
  'GET /api/hms/patient-imports': A,
  'POST /api/hms/patient-imports': A,
  'POST /api/hms/patient-imports/preview': A,
  'GET /api/hms/patient-imports/:id': A,
  'GET /api/hms/patient-imports/:id/findings': A,
  'POST /api/hms/patient-imports/:id/start': A,
  'DELETE /api/hms/patient-imports/:id': A,
  'POST /api/hms/patients/:id/merge': A,
  'POST /api/hms/patients/:id/unmerge': A,
  'POST /api/hms/patients/:id/restore': A,
  'DELETE /api/hms/patients/:id': A,
  'GET /api/hms/patients/changes': STAFF,
  'GET /api/hms/patients/:id/access': A,
  'GET /api/hms/patients/:id/documents': STAFF,
  'POST /api/hms/patients/:id/documents': CARE,
  'POST /api/hms/patients/:id/documents/:docId/complete': CARE,
  'GET /api/hms/patients/:id/documents/:docId/url': STAFF,
  'PUT /api/hms/patients/:id/documents/:docId': CARE,
  // Of others, and after an hour, the module asks for more.
  'POST /api/hms/patients/:id/documents/:docId/withdraw': CARE,
  'PUT /api/hms/patients/:id/photo': CARE,
  'POST /api/hms/patients/:id/summary': STAFF,
  'GET /api/hms/fhir/R4/metadata': STAFF,
  'GET /api/hms/fhir/R4/Patient': STAFF,
  'GET /api/hms/fhir/R4/Patient/:id': STAFF,
  'GET /api/hms/fhir/R4/Practitioner': STAFF,
  'GET /api/hms/fhir/R4/Practitioner/:id': STAFF,
  'GET /api/hms/fhir/R4/Organization': STAFF,
  'GET /api/hms/fhir/R4/Organization/:id': STAFF,
  'GET /api/hms/fhir/R4/Location': STAFF,
  'GET /api/hms/fhir/R4/Location/:id': STAFF,
  'GET /api/hms/fhir/R4/ServiceRequest': STAFF,
  'GET /api/hms/fhir/R4/ServiceRequest/:id': STAFF,
  'GET /api/hms/fhir/R4/Specimen': STAFF,
  'GET /api/hms/fhir/R4/Specimen/:id': STAFF,
  'GET /api/hms/fhir/R4/Observation': STAFF,
  'GET /api/hms/fhir/R4/Observation/:id': STAFF,
  'GET /api/hms/fhir/R4/DiagnosticReport': STAFF,
  'GET /api/hms/fhir/R4/DiagnosticReport/:id': STAFF,
  'GET /api/hms/fhir/R4/MedicationRequest': STAFF,
  'GET /api/hms/fhir/R4/MedicationRequest/:id': STAFF,
  'GET /api/hms/fhir/R4/MedicationDispense': STAFF,
  'GET /api/hms/fhir/R4/MedicationDispense/:id': STAFF,
  'GET /api/hms/employees': STAFF,
  'GET /api/hms/employees/:id': STAFF,
  'GET /api/hms/employees/changes': STAFF,
  'POST /api/hms/employees': A,
  'PUT /api/hms/employees/:id': A,
  'POST /api/hms/employees/:id/suspend': A,
  'POST /api/hms/employees/:id/activate': A,
  'POST /api/hms/employees/:id/terminate': A,
  'POST /api/hms/employees/:id/resend-invite': A,
  'GET /api/hms/clinics': STAFF,
  'GET /api/hms/clinics/:id': STAFF,
  'GET /api/hms/clinics/changes': STAFF,
  'POST /api/hms/clinics': A,
  'PUT /api/hms/clinics/:id': A,
  'DELETE /api/hms/clinics/:id': A,
  'GET /api/hms/departments': STAFF,
  'GET /api/hms/departments/:id': STAFF,
  'GET /api/hms/departments/changes': STAFF,
  'POST /api/hms/departments': A,
  'PUT /api/hms/departments/:id': A,
  'DELETE /api/hms/departments/:id': A,
  'GET /api/hms/lab-tests': STAFF,
  'GET /api/hms/lab-tests/:id': STAFF,
  'GET /api/hms/lab-tests/changes': STAFF,
  'POST /api/hms/lab-tests': LAB,
  'PUT /api/hms/lab-tests/:id': LAB,
  'DELETE /api/hms/lab-tests/:id': LAB,
  'POST /api/hms/lab-tests/:id/activate': LAB,
  'POST /api/hms/lab-tests/:id/retire': LAB,
  'GET /api/hms/lab-panels': STAFF,
  'GET /api/hms/lab-panels/:id': STAFF,
  'GET /api/hms/lab-panels/changes': STAFF,
  'POST /api/hms/lab-panels': LAB,
  'PUT /api/hms/lab-panels/:id': LAB,
  'DELETE /api/hms/lab-panels/:id': LAB,
  'GET /api/hms/patients/:id/lab-results': STAFF,
  'GET /api/hms/lab-orders': STAFF,
  'GET /api/hms/lab-orders/:id': STAFF,
  'GET /api/hms/lab-orders/changes': STAFF,
  'GET /api/hms/lab-orders/counts': STAFF,
  'GET /api/hms/lab-orders/favourites': ORDERING,
  'GET /api/hms/lab-orders/:id/comparison': STAFF,
  'POST /api/hms/lab-orders/:id/judge': BENCH,
  'GET /api/hms/lab-orders/turnaround': STAFF,
  'GET /api/hms/lab-orders/:id/results': STAFF,
  'GET /api/hms/lab-orders/:id/report': STAFF,
  'GET /api/hms/lab-orders/:id/labels': STAFF,
  'GET /api/hms/lab-specimens/:accessionNo': STAFF,
  'POST /api/hms/lab-orders': ORDERING,
  'PUT /api/hms/lab-orders/:id': ORDERING,
  'POST /api/hms/lab-orders/:id/cancel': ORDERING,
  'POST /api/hms/lab-orders/:id/collect': ['LAB_TECH', 'NURSE'],
  'POST /api/hms/lab-orders/:id/receive': BENCH,
  'POST /api/hms/lab-orders/:id/reject-specimen': BENCH,
  'POST /api/hms/lab-orders/:id/results': BENCH,
  'POST /api/hms/lab-orders/:id/amend': BENCH,
  'POST /api/hms/lab-orders/:id/verify': ['LAB_TECH', 'DOCTOR'],
  'POST /api/hms/lab-orders/:id/acknowledge': ['DOCTOR'],
  'POST /api/hms/lab-results/import': BENCH,
  'POST /api/hms/clinics/:id/activate': A,
  'POST /api/hms/clinics/:id/deactivate': A,
  'POST /api/hms/departments/:id/activate': A,
  'POST /api/hms/departments/:id/deactivate': A,
  'GET /api/hms/notices': STAFF,
  'GET /api/hms/notices/:id': STAFF,
  'GET /api/hms/notices/changes': STAFF,
  'POST /api/hms/notices': A,
  'PUT /api/hms/notices/:id': A,
  'DELETE /api/hms/notices/:id': A,
  'GET /api/hms/rooms': STAFF,
  'GET /api/hms/rooms/:id': STAFF,
  'GET /api/hms/rooms/changes': STAFF,
  'POST /api/hms/rooms': A,
  'PUT /api/hms/rooms/:id': A,
  'DELETE /api/hms/rooms/:id': A,
  'GET /api/hms/schedules': STAFF,
  'GET /api/hms/schedules/:id': STAFF,
  'GET /api/hms/schedules/changes': STAFF,
  'GET /api/hms/schedules/week': STAFF,
  'POST /api/hms/schedules': DESK,
  'PUT /api/hms/schedules/:id': DESK,
  'DELETE /api/hms/schedules/:id': DESK,
  'GET /api/hms/absences': DESK,
  'GET /api/hms/absences/:id': DESK,
  'GET /api/hms/absences/changes': DESK,
  'POST /api/hms/absences': DESK,
  'PUT /api/hms/absences/:id': DESK,
  'DELETE /api/hms/absences/:id': DESK,
  'GET /api/hms/drugs': STAFF,
  'GET /api/hms/drugs/:id': STAFF,
  'POST /api/hms/drugs': PHARMACY,
  'PUT /api/hms/drugs/:id': PHARMACY,
  'DELETE /api/hms/drugs/:id': PHARMACY,
  'GET /api/hms/drug-interactions': STAFF,
  'GET /api/hms/drug-interactions/:id': STAFF,
  'GET /api/hms/drug-interactions/changes': STAFF,
  'POST /api/hms/drug-interactions': PHARMACY,
  'POST /api/hms/drug-interactions/import': PHARMACY,
  'PUT /api/hms/drug-interactions/:id': PHARMACY,
  'DELETE /api/hms/drug-interactions/:id': PHARMACY,
  'GET /api/hms/drugs/changes': STAFF,
  'POST /api/hms/drugs/:id/activate': PHARMACY,
  'POST /api/hms/drugs/:id/deactivate': PHARMACY,
  'GET /api/hms/drug-levels': STAFF,
  'GET /api/hms/stock-warnings': DISPENSING,
  'GET /api/hms/stock-batches': STAFF,
  'GET /api/hms/stock-batches/:id': STAFF,
  'GET /api/hms/stock-batches/changes': STAFF,
  'GET /api/hms/stock-batches/:id/movements': STAFF,
  'GET /api/hms/stock-batches/:id/recipients': STAFF,
  'POST /api/hms/stock-batches': PHARMACY,
  'PUT /api/hms/stock-batches/:id': PHARMACY,
  'POST /api/hms/stock-batches/:id/receive': PHARMACY,
  'POST /api/hms/stock-batches/:id/adjust': PHARMACY,
  'POST /api/hms/stock-batches/:id/discard': PHARMACY,
  'POST /api/hms/stock-batches/:id/quarantine': PHARMACY,
  'POST /api/hms/stock-batches/:id/release': PHARMACY,
  'POST /api/hms/stock-batches/:id/transfer': PHARMACY,
  'POST /api/hms/stock-batches/:id/recall': PHARMACY,
  'GET /api/hms/stock-counts': STAFF,
  'GET /api/hms/stock-counts/:id': STAFF,
  'GET /api/hms/stock-counts/changes': STAFF,
  'GET /api/hms/stock-counts/:id/lines': STAFF,
  'POST /api/hms/stock-counts': PHARMACY,
  'PUT /api/hms/stock-counts/:id': PHARMACY,
  'PUT /api/hms/stock-counts/:id/lines': PHARMACY,
  'POST /api/hms/stock-counts/:id/submit': PHARMACY,
  'POST /api/hms/stock-counts/:id/approve': PHARMACY,
  'POST /api/hms/stock-counts/:id/reject': PHARMACY,
  'GET /api/hms/prescriptions': STAFF,
  'GET /api/hms/prescriptions/:id': STAFF,
  'GET /api/hms/prescriptions/:id/pdf': STAFF,
  'POST /api/hms/prescriptions/:id/proposal': DISPENSING,
  'GET /api/hms/prescriptions/changes': STAFF,
  'POST /api/hms/prescriptions': PRESCRIBING,
  'POST /api/hms/prescriptions/check': PRESCRIBING,
  'PUT /api/hms/prescriptions/:id': PRESCRIBING,
  'POST /api/hms/prescriptions/:id/cancel': PRESCRIBING,
  'POST /api/hms/prescriptions/:id/dispense': DISPENSING,
  'GET /api/hms/dispenses': STAFF,
  'GET /api/hms/dispenses/:id': STAFF,
  'GET /api/hms/dispenses/:id/labels': STAFF,
  'POST /api/hms/dispenses/:id/return': DISPENSING,
  'GET /api/hms/roles': A,
  'PUT /api/hms/roles/:name': ['OWNER'],

  'GET /api/crm/check': TOKEN,
  'GET /api/crm/families': STAFF,
  'GET /api/crm/families/suggestions': STAFF,
  'GET /api/crm/families/:id': STAFF,
  'POST /api/crm/families': DESK,
  'PUT /api/crm/families/:id': DESK,
  'DELETE /api/crm/families/:id': DESK,
  'GET /api/crm/families/:id/members': STAFF,
  'POST /api/crm/families/:id/members': DESK,
  'DELETE /api/crm/families/:id/members/:memberId': DESK,
  'PUT /api/crm/families/:id/primary-contact': DESK,
  'GET /api/crm/vip-tiers': STAFF,
  'GET /api/crm/vip-tiers/:id': STAFF,
  'GET /api/crm/vip-tiers/changes': STAFF,
  'POST /api/crm/vip-tiers': A,
  'PUT /api/crm/vip-tiers/:id': A,
  'DELETE /api/crm/vip-tiers/:id': A,
  'POST /api/crm/vip-tiers/:id/activate': A,
  'POST /api/crm/vip-tiers/:id/deactivate': A,
  'GET /api/crm/vip-memberships': STAFF,
  'GET /api/crm/vip-memberships/:id': STAFF,
  'GET /api/crm/vip-memberships/changes': STAFF,
  'POST /api/crm/vip-memberships': A,
  'PUT /api/crm/vip-memberships/:id': A,
  'POST /api/crm/vip-memberships/:id/suspend': A,
  'POST /api/crm/vip-memberships/:id/resume': A,
  'POST /api/crm/vip-memberships/:id/cancel': A,
  'GET /api/crm/visitors': DOOR,
  'GET /api/crm/visitors/:id': DOOR,
  'GET /api/crm/visitors/changes': DOOR,
  'GET /api/crm/visitors/:id/label': DOOR,
  'GET /api/crm/visitors/inside': DOOR,
  'GET /api/crm/visitors/inside/pdf': DOOR,
  'POST /api/crm/visitors': DESK,
  'PUT /api/crm/visitors/:id': DESK,
  'POST /api/crm/visitors/scan': DESK,
  'POST /api/crm/visitors/:id/check-in': DESK,
  'POST /api/crm/visitors/:id/check-out': DESK,
  'POST /api/crm/visitors/:id/deny': DESK,
  'GET /api/crm/visitor-bans': DOOR,
  'GET /api/crm/visitor-bans/:id': DOOR,
  'GET /api/crm/visitor-bans/changes': DOOR,
  'POST /api/crm/visitor-bans': DESK,
  'PUT /api/crm/visitor-bans/:id': DESK,
  'DELETE /api/crm/visitor-bans/:id': DESK,
  'GET /api/crm/visiting-hours': DOOR,
  'GET /api/crm/visiting-hours/:id': DOOR,
  'GET /api/crm/visiting-hours/changes': DOOR,
  'POST /api/crm/visiting-hours': A,
  'PUT /api/crm/visiting-hours/:id': A,
  'DELETE /api/crm/visiting-hours/:id': A,

  'GET /api/payment/check': TOKEN,
  'GET /api/payment/charges': CASH_DESK,
  'GET /api/payment/charges/:id': CASH_DESK,
  'GET /api/payment/invoices': CASH_DESK,
  'GET /api/payment/invoices/:id': CASH_DESK,
  'GET /api/payment/invoices/:id/payments': CASH_DESK,
  'GET /api/payment/invoices/:id/pdf': CASH_DESK,
  'GET /api/payment/receipts/:id/pdf': CASH_DESK,
  'GET /api/payment/invoices/changes': CASH_DESK,
  'POST /api/payment/invoices': CASH_DESK,
  'POST /api/payment/invoices/:id/charges': CASH_DESK,
  'POST /api/payment/invoices/:id/issue': CASH_DESK,
  'POST /api/payment/invoices/:id/lines': CASH_DESK,
  'POST /api/payment/invoices/:id/void': CASH_DESK,
  'PUT /api/payment/invoices/:id': CASH_DESK,
  'GET /api/payment/receipts': CASH_DESK,
  'GET /api/payment/receipts/:id': CASH_DESK,
  'GET /api/payment/price-items': CASH_DESK,
  'GET /api/payment/price-items/:id': CASH_DESK,
  'GET /api/payment/price-items/changes': CASH_DESK,
  'GET /api/payment/prices': CASH_DESK,
  'GET /api/payment/prices/:id': CASH_DESK,
  'GET /api/payment/prices/changes': CASH_DESK,
  'POST /api/payment/invoices/:id/pay': CASHIERS,
  'POST /api/payment/receipts/:id/reprint': CASHIERS,
  'GET /api/payment/reconciliation/invariants': ACCOUNTING,
  'POST /api/payment/price-items': ACCOUNTING,
  'PUT /api/payment/price-items/:id': ACCOUNTING,
  'DELETE /api/payment/price-items/:id': ACCOUNTING,
  'POST /api/payment/price-items/:id/activate': ACCOUNTING,
  'POST /api/payment/price-items/:id/deactivate': ACCOUNTING,
  'POST /api/payment/prices': ACCOUNTING,
  'PUT /api/payment/prices/:id': ACCOUNTING,
  'DELETE /api/payment/prices/:id': ACCOUNTING,
  'GET /api/queue/check': TOKEN,
  'GET /api/queue/slots': STAFF,
  'GET /api/queue/slots/days': STAFF,
  'GET /api/queue/appointments': STAFF,
  'GET /api/queue/appointments/:id': STAFF,
  'GET /api/queue/appointments/broken': STAFF,
  'GET /api/queue/appointments/changes': STAFF,
  'POST /api/queue/appointments': CARE,
  'POST /api/queue/appointments/series': CARE,
  'POST /api/queue/appointments/:id/cancel-following': CARE,
  'PUT /api/queue/appointments/:id': CARE,
  'POST /api/queue/appointments/:id/confirm': CARE,
  'POST /api/queue/appointments/:id/cancel': CARE,
  'POST /api/queue/appointments/:id/no-show': CARE,
  'POST /api/queue/appointments/:id/reschedule': CARE,
  'POST /api/queue/appointments/:id/check-in': CARE,
  'POST /api/queue/appointments/:id/accept': CARE,
  'POST /api/queue/appointments/:id/decline': CARE,
  'POST /api/queue/appointments/holds': CARE,
  'DELETE /api/queue/appointments/holds/:id': CARE,
  'GET /api/queue/visit-types': STAFF,
  'GET /api/queue/visit-types/:id': STAFF,
  'GET /api/queue/visit-types/changes': STAFF,
  'POST /api/queue/visit-types': A,
  'PUT /api/queue/visit-types/:id': A,
  'DELETE /api/queue/visit-types/:id': A,
  'POST /api/queue/visit-types/:id/activate': A,
  'POST /api/queue/visit-types/:id/deactivate': A,
  'GET /api/queue/waiting-list': STAFF,
  'GET /api/queue/waiting-list/:id': STAFF,
  'GET /api/queue/waiting-list/changes': STAFF,
  'POST /api/queue/waiting-list': CARE,
  'PUT /api/queue/waiting-list/:id': CARE,
  'POST /api/queue/waiting-list/:id/book': CARE,
  'POST /api/queue/waiting-list/:id/withdraw': CARE,
  'GET /api/queue/fhir/R4/metadata': STAFF,
  'GET /api/queue/fhir/R4/Schedule': STAFF,
  'GET /api/queue/fhir/R4/Schedule/:id': STAFF,
  'GET /api/queue/fhir/R4/Appointment': STAFF,
  'GET /api/queue/fhir/R4/Appointment/:id': STAFF,
  'GET /api/queue/fhir/R4/Slot': STAFF,
  'GET /api/queue/fhir/R4/Slot/:id': STAFF,
  'GET /api/queue/calendar/:hospital/:secret': ALL,
  'GET /api/queue/calendar-link': STAFF,
  'POST /api/queue/calendar-link': STAFF,
  'DELETE /api/queue/calendar-link': STAFF,
  'GET /api/queue/display': FOLLOWING,
  'GET /api/queue/:clinicId/stream': FOLLOWING,
  'GET /api/queue/:clinicId': STAFF,
  'GET /api/queue/:clinicId/board': FOLLOWING,
  'GET /api/queue/:clinicId/accuracy': STAFF,
  'POST /api/queue/:clinicId/entries': CARE,
  'POST /api/queue/:clinicId/call-next': CARE,
  'GET /api/queue/entries': STAFF,
  'GET /api/queue/entries/:id': STAFF,
  'GET /api/queue/entries/changes': STAFF,
  'POST /api/queue/entries/:id/call': CARE,
  'POST /api/queue/entries/:id/link': CARE,
  'POST /api/queue/entries/:id/recall': CARE,
  'POST /api/queue/entries/:id/skip': CARE,
  'POST /api/queue/entries/:id/serve': CARE,
  'POST /api/queue/entries/:id/done': CARE,
  'POST /api/queue/entries/:id/no-show': CARE,
  'POST /api/queue/entries/:id/come-back': CARE,
  'POST /api/queue/entries/:id/cancel': CARE,
  'POST /api/queue/entries/:id/priority': CARE,
  'POST /api/queue/entries/:id/transfer': CARE,
  'POST /api/queue/entries/:id/undo': CARE,

  'GET /api/console/cluster': SUPPORT,
  'GET /api/console/platform': SUPPORT,
  'GET /api/console/platform/stream': SUPPORT,
  'POST /api/console/platform/migrations/halt': PLATFORM,
  'POST /api/console/platform/migrations/resume': PLATFORM,
  'POST /api/console/platform/migrations/retry': PLATFORM,
  'GET /api/console/hospitals': SUPPORT,
  'POST /api/console/hospitals': PLATFORM,
  'POST /api/console/hospitals/preview': PLATFORM,
  'GET /api/console/hospitals/stream': SUPPORT,
  'GET /api/console/hospitals/:hospital': SUPPORT,
  'PUT /api/console/hospitals/:hospital': PLATFORM,
  'DELETE /api/console/hospitals/:hospital': PLATFORM,
  'POST /api/console/hospitals/:hospital/suspend': PLATFORM,
  'POST /api/console/hospitals/:hospital/resume': PLATFORM,
  'POST /api/console/hospitals/:hospital/retry': PLATFORM,
  'GET /api/console/hospitals/:hospital/events': SUPPORT,
  'GET /api/console/hospitals/:hospital/stream': SUPPORT,
  'GET /api/console/hospitals/:hospital/logo': SUPPORT,
  'PUT /api/console/hospitals/:hospital/logo': PLATFORM,
  'GET /api/console/hospitals/:hospital/usage': SUPPORT,
  'GET /api/console/permissions': SUPPORT,
  'GET /api/console/role-templates': SUPPORT,
  'GET /api/console/role-templates/:id': SUPPORT,
  'POST /api/console/role-templates': PLATFORM,
  'PUT /api/console/role-templates/:id': PLATFORM,
  'POST /api/console/role-templates/:id/retire': PLATFORM,
  'POST /api/console/role-templates/:id/restore': PLATFORM,
  'GET /api/console/audit': SUPPORT,
};

const sorted = (who: Who) => (typeof who === 'string' ? who : [...who].sort());

it('is the table that was written by hand', async () => {
  const declared = (await moduleDefinitions()).flatMap(({ routes }) =>
    routes.map(({ method, path, access }): [string, Who] => [
      `${method} ${path}`,
      access === 'public' ? ALL : access === 'authenticated' ? TOKEN : PERMISSIONS[access].roles,
    ]),
  );
  expect(Object.fromEntries(declared.map(([route, who]) => [route, sorted(who)]))).toEqual(
    Object.fromEntries(Object.entries(EXPECTED).map(([route, who]) => [route, sorted(who)])),
  );
});

const ID = '0198a5a0-0000-7000-8000-000000000000';
/** The auth module asks Keycloak, and its routes have suites of their own. */
const MODULES: Readonly<Record<string, (platform: Platform) => ModuleDefinition>> = {
  hms: hmsModule,
  crm: crmModule,
  payment: paymentModule,
  queue: queueModule,
  console: (environment) => consoleModule(environment, unreachableCluster(environment), HOST_RULES),
};

describe.each(Object.entries(MODULES))('%s', (name, define) => {
  it('answers each role at each route so', async () => {
    const isConsole = name === 'console';
    const databaseRole = isConsole ? 'console' : 'app';
    const module = await startTestModule({ databaseUrls: platform().databaseUrls, databaseRole, define });
    try {
      const hospital = await createTestHospital(module.operator, module.issuer);
      const roles: readonly string[] = isConsole ? CONSOLE_ROLES : HOSPITAL_ROLES;
      const answers: [string, readonly string[]][] = [];
      const routes = Object.entries(EXPECTED).filter(
        ([route, who]) => route.includes(` /api/${name}/`) && typeof who !== 'string',
      );
      expect(routes.length).toBeGreaterThan(5);
      for (const [route] of routes) {
        const [method = '', path = ''] = route.split(' ');
        const admitted: string[] = [];
        for (const role of roles) {
          const token = isConsole
            ? await module.issuer.sign('console', { roles: [role] })
            : await hospital.token([role]);
          if (await isAdmitted(`${module.url}${path.replaceAll(/:\w+/g, ID)}`, method, token)) admitted.push(role);
        }
        answers.push([route, admitted.sort()]);
      }
      expect(Object.fromEntries(answers)).toEqual(
        Object.fromEntries(routes.map(([route, who]) => [route, sorted(who)])),
      );
    } finally {
      await module.close();
    }
  });
});

/** Whether the answer is anything but "you may not". Streams are left after their head. */
async function isAdmitted(url: string, method: string, token: string): Promise<boolean> {
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: '{}' };
  const answer = await fetch(url, { method, headers, ...body, signal: stop.signal });
  const text = answer.status >= 400 ? await answer.text() : '';
  const isRefused = answer.status === 403 && text.includes('"FORBIDDEN"');
  if (!isRefused) stop.abort();
  // The console of this suite has no API server.
  const isOfCluster = /"(CLUSTER_UNAVAILABLE|PLATFORM_UNKNOWN)"/.test(text);
  expect([url, answer.status < 500 || isOfCluster]).toEqual([url, true]);
  return !isRefused;
}
