/** States of a prescription, as the address of a list has them. */
import type { Schemas } from '../../../kit/api/api.ts';

type Status = Schemas['ShownPrescription']['status'];
export const STATUSES = [
  ...(['active', 'partially_dispensed', 'dispensed', 'cancelled', 'expired'] as const),
] satisfies readonly Status[];
