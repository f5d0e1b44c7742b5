/** Limits of the fields. Generated. */
export const NewFamily = {
  name: {"required":true,"longest":100},
  primaryContactId: {"required":true},
} as const;
