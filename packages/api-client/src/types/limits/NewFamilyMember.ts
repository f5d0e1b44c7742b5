/** Limits of the fields. Generated. */
export const NewFamilyMember = {
  patientId: {"required":true},
  relation: {"choices":["self","spouse","child","parent","other"],"initially":"other"},
  isPayer: {"initially":false},
  fromFamilyId: {},
} as const;
