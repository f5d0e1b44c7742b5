/** Limits of the fields. Generated. */
export const NewPatient = {
  firstName: {"isFilter":true,"longest":100},
  lastName: {"isFilter":true,"longest":100},
  phone: {"isFilter":true,"longest":60,"pattern":"^[^\\S\\x1C-\\x1F\\x85]*(?:[Tt][Ee][Ll]:)?(?:[^\\S\\x00-\\x1F\\x7F-\\x9F]|[().-])*\\+(?:[^\\S\\x00-\\x1F\\x7F-\\x9F]|[().-])*[1-9](?:(?:[^\\S\\x00-\\x1F\\x7F-\\x9F]|[().-])*[0-9]){6,14}(?:[^\\S\\x00-\\x1F\\x7F-\\x9F]|[().-])*[^\\S\\x1C-\\x1F\\x85]*$|^[^\\S\\x1C-\\x1F\\x85]*(?:[Tt][Ee][Ll]:)?[^A-Za-z]*[^\\x00-\\x7F][^A-Za-z]*$"},
  email: {"isFilter":true,"longest":254,"pattern":"^[^\\S\\x1C-\\x1F\\x85]*(?:[A-ZKa-z0-9_'+\\-]+\\.)*[A-ZKa-z0-9_'+\\-]*[A-ZKa-z0-9_+-]@(?:[A-ZKa-z0-9](?:[A-ZKa-z0-9-]{0,61}[A-ZKa-z0-9])?\\.)+[A-ZKa-z]{2,63}[^\\S\\x1C-\\x1F\\x85]*$"},
  language: {"choices":["en","ar"]},
  dateOfBirth: {"isFilter":true},
  timeOfBirth: {"pattern":"^([01][0-9]|2[0-3]):[0-5][0-9]$"},
  gender: {"choices":["female","male","other","unknown"]},
  bloodGroup: {"choices":["A+","A-","B+","B-","AB+","AB-","O+","O-"]},
  address: {"parts":{"street":{"longest":200},"city":{"longest":100},"region":{"longest":100},"postalCode":{"longest":20},"country":{"pattern":"^[A-Z]{2}$"}}},
  allergies: {"parts":{"substance":{"required":true,"longest":100},"severity":{"required":true,"choices":["mild","moderate","severe"]},"note":{"longest":200}}},
  alerts: {"longest":200,"initially":[]},
  rejectDuplicates: {},
  otherThan: {"parts":{"patientIds":{"required":true},"reason":{"required":true,"longest":200}}},
  family: {"parts":{"id":{"required":true},"relation":{"required":true,"choices":["spouse","child","parent","other"]}}},
  unknown: {"choices":["firstName","lastName","phone","dateOfBirth"]},
} as const;
