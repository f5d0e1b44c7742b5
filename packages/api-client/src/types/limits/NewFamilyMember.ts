/** Limits of the fields. Generated. */
export const NewFamilyMember = {
  patientId: {"required":true},
  relation: {"choices":["self","spouse","child","parent","other"],"initially":"other"},
  isPayer: {"initially":false},
  fromFamilyId: {},
  handOver: {"parts":{"primaryContactId":{},"relations":{"parts":{"patientId":{"required":true},"relation":{"required":true,"choices":["spouse","child","parent","other"]}}},"payerId":{}}},
} as const;
