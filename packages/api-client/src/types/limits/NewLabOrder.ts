/** Limits of the fields. Generated. */
export const NewLabOrder = {
  priority: {"choices":["stat","urgent","routine"],"initially":"routine"},
  clinicalNote: {"longest":500},
  patientId: {"required":true},
  doctorId: {},
  testIds: {},
  panelIds: {},
} as const;
