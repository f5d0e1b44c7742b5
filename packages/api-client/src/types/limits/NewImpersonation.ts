/** Limits of the fields. Generated. */
export const NewImpersonation = {
  hospital: {"required":true,"longest":40},
  email: {"longest":254,"pattern":"^[^\\S\\x1C-\\x1F\\x85]*(?:[A-ZKa-z0-9_'+\\-]+\\.)*[A-ZKa-z0-9_'+\\-]*[A-ZKa-z0-9_+-]@(?:[A-ZKa-z0-9](?:[A-ZKa-z0-9-]{0,61}[A-ZKa-z0-9])?\\.)+[A-ZKa-z]{2,63}[^\\S\\x1C-\\x1F\\x85]*$"},
  accountId: {},
  reason: {"required":true,"longest":500,"pattern":"^[^\\S\\x1C-\\x1F\\x85]*[^\\s\\x00-\\x1F\\x7F-\\x9F][^\\x00-\\x1F\\x7F-\\x9F]{8,}[^\\s\\x00-\\x1F\\x7F-\\x9F][^\\S\\x1C-\\x1F\\x85]*$"},
  mode: {"choices":["read","write"],"initially":"read"},
} as const;
