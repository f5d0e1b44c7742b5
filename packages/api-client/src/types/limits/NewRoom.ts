/** Limits of the fields. Generated. */
export const NewRoom = {
  code: {"required":true,"isFilter":true,"longest":20},
  name: {"required":true,"longest":100},
  clinicId: {"required":true,"isFilter":true},
  location: {"longest":200},
} as const;
