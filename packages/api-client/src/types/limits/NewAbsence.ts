/** Limits of the fields. Generated. */
export const NewAbsence = {
  doctorId: {"required":true,"isFilter":true},
  from: {"required":true,"isFilter":true},
  to: {"isFilter":true},
  kind: {"required":true,"isFilter":true,"choices":["leave","sick","training","other"]},
  reason: {"longest":200},
  breaks: {"pattern":"^[A-Za-z0-9_-]{43}$"},
} as const;
