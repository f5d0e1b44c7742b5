/** Limits of the fields. Generated. */
export const NewPatientImport = {
  fileName: {"required":true,"longest":255},
  csv: {"required":true,"longest":8000000},
} as const;
