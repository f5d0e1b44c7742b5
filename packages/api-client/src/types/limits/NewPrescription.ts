/** Limits of the fields. Generated. */
export const NewPrescription = {
  notes: {"longest":500},
  patientId: {"required":true,"isFilter":true},
  doctorId: {"isFilter":true},
  validUntil: {},
  items: {"required":true},
  overrides: {"initially":[]},
} as const;
