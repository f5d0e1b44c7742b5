/** Limits of the fields. Generated. */
export const NewVisitor = {
  name: {"required":true,"longest":100},
  phone: {"longest":60,"pattern":"^[^\\S\\x1C-\\x1F\\x85]*(?:[Tt][Ee][Ll]:)?(?:[^\\S\\x00-\\x1F\\x7F-\\x9F]|[().-])*\\+(?:[^\\S\\x00-\\x1F\\x7F-\\x9F]|[().-])*[1-9](?:(?:[^\\S\\x00-\\x1F\\x7F-\\x9F]|[().-])*[0-9]){6,14}(?:[^\\S\\x00-\\x1F\\x7F-\\x9F]|[().-])*[^\\S\\x1C-\\x1F\\x85]*$|^[^\\S\\x1C-\\x1F\\x85]*(?:[Tt][Ee][Ll]:)?[^A-Za-z]*[^\\x00-\\x7F][^A-Za-z]*$"},
  idLast4: {"pattern":"^[0-9A-Za-z]{4}$"},
  relation: {"longest":50},
  place: {"longest":100},
  anyTimeReason: {"longest":200},
  patientId: {"required":true,"isFilter":true},
  validFrom: {},
  validTo: {},
  clearedBanIds: {},
} as const;
