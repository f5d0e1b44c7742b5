/** Limits of the fields. Generated. */
export const NewVipMembership = {
  tierId: {"required":true,"isFilter":true},
  validFrom: {},
  validTo: {},
  notes: {"longest":200},
  patientId: {"required":true,"isFilter":true},
} as const;
