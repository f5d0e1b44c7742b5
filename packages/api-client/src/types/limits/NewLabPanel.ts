/** Limits of the fields. Generated. */
export const NewLabPanel = {
  code: {"required":true,"isFilter":true,"longest":20},
  name: {"required":true,"longest":100},
  testIds: {"required":true},
} as const;
