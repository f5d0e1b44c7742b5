/** Limits of the fields. Generated. */
export const NewLabOrder = {
  priority: {"isFilter":true,"choices":["stat","urgent","routine"],"initially":"routine"},
  clinicalNote: {"longest":500},
  patientId: {"required":true,"isFilter":true},
  doctorId: {"isFilter":true},
  testIds: {},
  panelIds: {},
} as const;
