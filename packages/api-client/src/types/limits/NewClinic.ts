/** Limits of the fields. Generated. */
export const NewClinic = {
  code: {"required":true,"isFilter":true,"longest":20},
  name: {"required":true,"longest":100},
  departmentId: {"isFilter":true},
  location: {"longest":200},
  tokenPrefix: {"pattern":"^[A-Z0-9]{1,4}$"},
  slotMinutes: {"least":5,"most":480},
  isQueueEnabled: {"initially":true},
} as const;
