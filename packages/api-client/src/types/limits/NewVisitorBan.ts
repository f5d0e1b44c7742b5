/** Limits of the fields. Generated. */
export const NewVisitorBan = {
  name: {"required":true,"longest":100},
  phone: {"isFilter":true,"longest":60,"pattern":"^[^\\S\\x1C-\\x1F\\x85]*(?:[Tt][Ee][Ll]:)?(?:[^\\S\\x00-\\x1F\\x7F-\\x9F]|[().-])*\\+(?:[^\\S\\x00-\\x1F\\x7F-\\x9F]|[().-])*[1-9](?:(?:[^\\S\\x00-\\x1F\\x7F-\\x9F]|[().-])*[0-9]){6,14}(?:[^\\S\\x00-\\x1F\\x7F-\\x9F]|[().-])*[^\\S\\x1C-\\x1F\\x85]*$|^[^\\S\\x1C-\\x1F\\x85]*(?:[Tt][Ee][Ll]:)?[^A-Za-z]*[^\\x00-\\x7F][^A-Za-z]*$"},
  patientId: {},
  reason: {"required":true,"longest":200},
  validTo: {},
} as const;
