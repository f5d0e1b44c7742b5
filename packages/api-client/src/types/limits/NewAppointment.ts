/** Limits of the fields. Generated. */
export const NewAppointment = {
  reason: {"longest":200},
  notes: {"longest":500},
  patientId: {"required":true,"isFilter":true},
  doctorId: {"required":true,"isFilter":true},
  startsAt: {"required":true,"longest":40},
  visitTypeId: {},
} as const;
