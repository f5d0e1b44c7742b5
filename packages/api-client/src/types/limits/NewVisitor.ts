/** Limits of the fields. Generated. */
export const NewVisitor = {
  name: {"required":true,"longest":100},
  phone: {"longest":40},
  idLast4: {"pattern":"^[0-9A-Za-z]{4}$"},
  relation: {"longest":50},
  place: {"longest":100},
  anyTimeReason: {"longest":200},
  patientId: {"required":true,"isFilter":true},
  validFrom: {},
  validTo: {},
  clearedBanIds: {},
} as const;
