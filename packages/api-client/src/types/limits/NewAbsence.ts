/** Limits of the fields. Generated. */
export const NewAbsence = {
  doctorId: {"required":true},
  from: {"required":true},
  to: {},
  kind: {"required":true,"choices":["leave","sick","training","other"]},
  reason: {"longest":200},
} as const;
