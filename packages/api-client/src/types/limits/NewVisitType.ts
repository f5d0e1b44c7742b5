/** Limits of the fields. Generated. */
export const NewVisitType = {
  code: {"required":true,"isFilter":true,"longest":20},
  name: {"required":true,"longest":100},
  minutes: {"required":true,"least":5,"most":480},
  clinicId: {"isFilter":true},
} as const;
