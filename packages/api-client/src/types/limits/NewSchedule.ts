/** Limits of the fields. Generated. */
export const NewSchedule = {
  doctorId: {"required":true,"isFilter":true},
  clinicId: {"required":true,"isFilter":true},
  roomId: {"isFilter":true},
  weekday: {"required":true,"isFilter":true,"least":1,"most":7},
  startTime: {"required":true,"pattern":"^([01][0-9]|2[0-3]):[0-5][0-9]$"},
  endTime: {"required":true,"pattern":"^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"},
  slotMinutes: {"least":5,"most":480},
  capacity: {"least":1,"most":100,"initially":1},
  validFrom: {},
  validTo: {},
} as const;
