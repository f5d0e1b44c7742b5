/** Limits of the fields. Generated. */
export const NewVipMembership = {
  tierId: {"required":true,"isFilter":true},
  validFrom: {},
  validTo: {},
  notes: {"longest":200},
  patientId: {"isFilter":true},
  familyId: {"isFilter":true},
} as const;
