/** Prescriptions, and what is dispensed and returned. */
import { DRUG_INACTIVE, DRUG_NOT_FOUND } from '@hms/domain/drugs';
import { PATIENT_NOT_FOUND } from '@hms/domain/patients';
import * as domain from '@hms/domain/prescriptions';
import { dispenses, prescriptions } from '@hms/domain/prescriptions';
import { INSUFFICIENT_STOCK } from '@hms/domain/stock';
import { fields, INVALID_STATE, type Route, records, resource, route, STALE_VERSION, single } from '@hms/service';
import { z } from 'zod';

const PATH = '/api/hms/prescriptions';
const DISPENSES = '/api/hms/dispenses';
const { DISPENSE_NOT_FOUND, OVERRIDE_NOT_ALLOWED, PRESCRIPTION_NOT_FOUND, REPEAT_OF_OTHER_PATIENT } = domain;

export const prescriptionRoutes: readonly Route[] = [
  // Before the routes of one prescription, whose id is any text.
  route({
    method: 'POST',
    path: `${PATH}/check`,
    operationId: 'checkPrescription',
    summary: 'Check drugs for a patient before they are prescribed',
    description:
      'Allergies, interactions, ingredients that the patient gets already, daily doses, and doses by weight. Findings with `needsReason` are accepted only with a reason.',
    access: 'prescriptions.write',
    body: domain.checkRequest,
    response: domain.checked,
    errors: [PATIENT_NOT_FOUND, DRUG_NOT_FOUND, DRUG_INACTIVE],
    handler: async (context) => ({ data: await domain.checkPrescription(context, context.body) }),
  }),
  ...resource(prescriptions, {
    path: PATH,
    access: { read: 'prescriptions.read', write: 'prescriptions.write' },
    list: { response: domain.shownPrescription, run: domain.listPrescriptions },
    create: {
      summary: 'Prescribe drugs',
      description:
        'The drugs are checked as by `check`. Findings that need a reason are refused unless `overrides` has one for each.',
      body: domain.newPrescription,
      response: domain.shownPrescription,
      errors: [
        ...[PATIENT_NOT_FOUND, DRUG_NOT_FOUND, DRUG_INACTIVE, domain.DOCTOR_NOT_ALLOWED],
        ...[PRESCRIPTION_NOT_FOUND, REPEAT_OF_OTHER_PATIENT],
        ...[...domain.checkErrors, OVERRIDE_NOT_ALLOWED],
      ],
      run: async (context, body) => domain.showPrescription(context, await domain.prescribe(context, body)),
    },
    read: { response: domain.shownPrescription, run: domain.readPrescription },
    update: {
      summary: 'Change what the pharmacy is told',
      response: domain.shownPrescription,
      run: async (context, id, changes) => {
        const own = records(context, prescriptions);
        return domain.showPrescription(context, await own.update(await own.lock(id, context.version), changes));
      },
    },
  }),
  route({
    method: 'POST',
    path: `${PATH}/:id/cancel`,
    operationId: 'cancelPrescription',
    summary: 'Cancel what is left of a prescription',
    access: 'prescriptions.write',
    params: fields.idParams,
    body: domain.cancellation,
    response: domain.shownPrescription,
    errors: [PRESCRIPTION_NOT_FOUND, INVALID_STATE, STALE_VERSION],
    handler: async (context) => {
      const { id } = context.params;
      const cancelled = await domain.cancelPrescription(context, id, { ...context.body, version: context.version });
      return single(await domain.showPrescription(context, cancelled));
    },
  }),
  route({
    method: 'POST',
    path: `${PATH}/:id/proposal`,
    operationId: 'proposeDispense',
    summary: 'Show from which batches a prescription would be dispensed, and why',
    description:
      'Nothing changes. `substitutes` are drugs with the same ingredients, strength and form. `findings` are those that need a reason of the pharmacist.',
    access: 'dispenses.write',
    params: fields.idParams,
    body: domain.dispensing.pick({ items: true }).optional(),
    response: domain.proposal,
    errors: [
      ...[PRESCRIPTION_NOT_FOUND, PATIENT_NOT_FOUND, DRUG_NOT_FOUND, INVALID_STATE],
      ...[domain.PRESCRIPTION_EXPIRED, domain.PRESCRIPTION_EXHAUSTED, domain.PRESCRIPTION_ITEM_NOT_FOUND],
      ...[domain.SUBSTITUTION_NOT_ALLOWED, domain.SUBSTITUTE_DIFFERS],
    ],
    handler: async (context) => ({
      data: await domain.proposeDispense(context, context.params.id, { items: context.body?.items }),
    }),
  }),
  route({
    method: 'POST',
    path: `${PATH}/:id/dispense`,
    operationId: 'dispensePrescription',
    summary: 'Dispense a prescription, whole or in part',
    description:
      'Units come from the batch that expires first. Expired, quarantined and recalled batches are passed over, and `allocation` says why. The checks run again: what was found since then needs a reason of the pharmacist. Send an idempotency key.',
    access: 'dispenses.write',
    params: fields.idParams,
    body: domain.dispensing.optional(),
    keyDemandable: true,
    response: domain.completedDispense,
    status: 201,
    errors: [
      ...[PRESCRIPTION_NOT_FOUND, PATIENT_NOT_FOUND, DRUG_NOT_FOUND, INVALID_STATE, STALE_VERSION],
      ...[domain.PRESCRIPTION_EXPIRED, domain.PRESCRIPTION_EXHAUSTED, domain.PRESCRIPTION_ITEM_NOT_FOUND],
      ...[domain.SUBSTITUTION_NOT_ALLOWED, domain.SUBSTITUTE_DIFFERS, INSUFFICIENT_STOCK],
      ...[...domain.checkErrors, OVERRIDE_NOT_ALLOWED],
    ],
    handler: async (context) => {
      const body = context.body ?? { partially: false, overrides: [] };
      return single(await domain.dispense(context, context.params.id, { ...body, version: context.version }));
    },
  }),
];

export const dispenseRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: DISPENSES,
    operationId: 'listDispenses',
    summary: 'List what was dispensed',
    access: 'dispenses.read',
    query: dispenses.query,
    response: z.array(domain.shownDispense),
    paged: true,
    handler: (context) => domain.listDispenses(context, context.query),
  }),
  route({
    method: 'GET',
    path: `${DISPENSES}/:id`,
    operationId: 'readDispense',
    summary: 'Read what was dispensed',
    access: 'dispenses.read',
    params: fields.idParams,
    response: domain.shownDispense,
    errors: [DISPENSE_NOT_FOUND],
    handler: async (context) => single(await domain.readDispense(context, context.params.id)),
  }),
  route({
    method: 'POST',
    path: `${DISPENSES}/:id/return`,
    operationId: 'returnDispense',
    summary: 'Take back what a patient returns, into quarantine',
    access: 'dispenses.write',
    params: fields.idParams,
    body: domain.returning,
    response: domain.shownDispense,
    errors: [
      ...[DISPENSE_NOT_FOUND, domain.DISPENSE_LINE_NOT_FOUND, domain.RETURN_EXCEEDS_DISPENSED],
      ...[INVALID_STATE, STALE_VERSION],
    ],
    handler: async (context) =>
      single(await domain.returnDispensed(context, context.params.id, { ...context.body, version: context.version })),
  }),
];
