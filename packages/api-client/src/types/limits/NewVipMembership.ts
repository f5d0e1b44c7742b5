/** Limits of the fields. Generated. */
export const NewVipMembership = {
  tierId: {"required":true},
  validFrom: {},
  validTo: {},
  notes: {"longest":200},
  patientId: {"required":true},
} as const;
