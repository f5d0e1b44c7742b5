/** Limits of the fields. Generated. */
export const NewBankStatement = {
  fileName: {"required":true,"longest":255},
  content: {"required":true,"longest":6666668},
} as const;
