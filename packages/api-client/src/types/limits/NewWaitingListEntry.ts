/** Limits of the fields. Generated. */
export const NewWaitingListEntry = {
  doctorId: {},
  clinicId: {},
  visitTypeId: {},
  fromDate: {},
  untilDate: {},
  fromTime: {"pattern":"^([01][0-9]|2[0-3]):[0-5][0-9]$"},
  untilTime: {"pattern":"^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"},
  priority: {"choices":["urgent","usual"],"initially":"usual"},
  reason: {"longest":200},
  notes: {"longest":500},
  patientId: {"required":true},
} as const;
