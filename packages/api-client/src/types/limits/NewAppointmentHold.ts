/** Limits of the fields. Generated. */
export const NewAppointmentHold = {
  doctorId: {"required":true},
  startsAt: {"required":true,"longest":40},
  visitTypeId: {},
} as const;
