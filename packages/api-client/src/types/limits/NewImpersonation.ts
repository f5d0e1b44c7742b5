/** Limits of the fields. Generated. */
export const NewImpersonation = {
  hospital: {"required":true,"longest":40},
  email: {"longest":254},
  accountId: {},
  reason: {"required":true,"longest":500},
  mode: {"choices":["read","write"],"initially":"read"},
} as const;
