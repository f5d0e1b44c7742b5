/** Limits of the fields. Generated. */
export const NewQueueEntry = {
  patientId: {},
  priority: {"least":0,"most":2,"initially":0},
  note: {"longest":200},
  series: {"pattern":"^[A-Z0-9]{1,4}$"},
} as const;
