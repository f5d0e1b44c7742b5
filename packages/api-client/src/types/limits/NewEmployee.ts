/** Limits of the fields. Generated. */
export const NewEmployee = {
  firstName: {"required":true,"longest":100},
  lastName: {"required":true,"longest":100},
  email: {"required":true,"isFilter":true,"longest":254,"pattern":"^[^\\S\\x1C-\\x1F\\x85]*(?:[A-ZKa-z0-9_'+\\-]+\\.)*[A-ZKa-z0-9_'+\\-]*[A-ZKa-z0-9_+-]@(?:[A-ZKa-z0-9](?:[A-ZKa-z0-9-]{0,61}[A-ZKa-z0-9])?\\.)+[A-ZKa-z]{2,63}[^\\S\\x1C-\\x1F\\x85]*$"},
  phone: {"longest":60,"pattern":"^[^\\S\\x1C-\\x1F\\x85]*(?:[Tt][Ee][Ll]:)?(?:[^\\S\\x00-\\x1F\\x7F-\\x9F]|[().-])*\\+(?:[^\\S\\x00-\\x1F\\x7F-\\x9F]|[().-])*[1-9](?:(?:[^\\S\\x00-\\x1F\\x7F-\\x9F]|[().-])*[0-9]){6,14}(?:[^\\S\\x00-\\x1F\\x7F-\\x9F]|[().-])*[^\\S\\x1C-\\x1F\\x85]*$|^[^\\S\\x1C-\\x1F\\x85]*(?:[Tt][Ee][Ll]:)?[^A-Za-z]*[^\\x00-\\x7F][^A-Za-z]*$"},
  departmentId: {"isFilter":true},
  title: {"longest":100},
  licenseNo: {"longest":50},
  roles: {"required":true,"pattern":"^[A-Z][A-Z0-9_]{1,62}$"},
  employedFrom: {},
  employedTo: {},
} as const;
