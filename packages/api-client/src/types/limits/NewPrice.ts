/** Limits of the fields. Generated. */
export const NewPrice = {
  itemId: {"required":true,"isFilter":true},
  payerGroup: {"isFilter":true,"longest":40},
  amount: {"required":true,"least":0,"most":999999999999999},
  validFrom: {"required":true},
  validTo: {},
} as const;
