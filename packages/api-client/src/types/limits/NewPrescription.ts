/** Limits of the fields. Generated. */
export const NewPrescription = {
  notes: {"longest":500},
  patientId: {"required":true},
  doctorId: {},
  validUntil: {},
  items: {"required":true},
  overrides: {"initially":[]},
} as const;
