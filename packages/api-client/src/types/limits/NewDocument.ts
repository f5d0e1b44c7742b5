/** Limits of the fields. Generated. */
export const NewDocument = {
  title: {"longest":200},
  fileName: {"required":true,"longest":255},
  contentType: {"required":true,"longest":100},
  size: {"required":true,"least":1,"most":2147483647},
  sha256: {"required":true,"longest":64,"pattern":"^[0-9a-f]{64}$"},
  kind: {"choices":["referral","letter","consent","external_lab_report","imaging","insurance","identification","external_prescription","document","photo"],"initially":"document"},
} as const;
