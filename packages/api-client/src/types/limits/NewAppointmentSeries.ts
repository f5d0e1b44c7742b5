/** Limits of the fields. Generated. */
export const NewAppointmentSeries = {
  reason: {"longest":200},
  notes: {"longest":500},
  patientId: {"required":true},
  doctorId: {"required":true},
  startsAt: {"required":true,"longest":40},
  visitTypeId: {},
  everyWeeks: {"least":1,"most":52,"initially":1},
  times: {"required":true,"least":2,"most":52},
  skipRefused: {"initially":false},
} as const;
