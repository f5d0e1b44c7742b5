/** Limits of the fields. Generated. */
export const NewNotice = {
  text: {"required":true,"longest":200},
  validFrom: {},
  validTo: {},
} as const;
