/** Limits of the fields. Generated. */
export const NewDocumentUpload = {
  id: {"required":true},
  hospitalId: {"required":true},
  patientId: {"required":true},
  kind: {"required":true,"choices":["referral","letter","consent","external_lab_report","imaging","insurance","identification","external_prescription","document","photo","summary"]},
  withdrawReason: {"required":true},
  title: {"required":true},
  fileName: {"required":true},
  contentType: {"required":true},
  size: {"required":true,"least":1,"most":2147483647},
  sha256: {"required":true,"longest":64,"pattern":"^[0-9a-f]{64}$"},
  status: {"required":true,"choices":["uploading","available"]},
  createdAt: {"required":true},
  updatedAt: {"required":true},
  version: {"required":true,"least":-9007199254740991,"most":9007199254740991},
  deletedAt: {},
  upload: {"required":true,"parts":{"url":{"required":true},"expiresAt":{"required":true},"method":{"required":true},"headers":{"required":true}}},
} as const;
