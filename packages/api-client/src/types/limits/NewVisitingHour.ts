/** Limits of the fields. Generated. */
export const NewVisitingHour = {
  weekday: {"required":true,"isFilter":true,"least":1,"most":7},
  startTime: {"required":true,"pattern":"^([01][0-9]|2[0-3]):[0-5][0-9]$"},
  endTime: {"required":true,"pattern":"^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"},
} as const;
