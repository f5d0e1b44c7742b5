/** Limits of the fields. Generated. */
export const NewCalendarLink = {
  createdAt: {"required":true},
  url: {"required":true},
} as const;
