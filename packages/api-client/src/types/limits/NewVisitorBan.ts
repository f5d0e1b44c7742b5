/** Limits of the fields. Generated. */
export const NewVisitorBan = {
  name: {"required":true,"longest":100},
  phone: {"isFilter":true,"longest":40},
  patientId: {},
  reason: {"required":true,"longest":200},
  validTo: {},
} as const;
