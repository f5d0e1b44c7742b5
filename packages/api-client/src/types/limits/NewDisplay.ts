/** Limits of the fields. Generated. */
export const NewDisplay = {
  name: {"required":true,"longest":100},
  clinicIds: {"required":true},
  voices: {"choices":["en","ar"]},
  code: {"required":true,"longest":20,"pattern":"^(?:[ -]*[A-Za-z]){8}[ -]*$"},
} as const;
