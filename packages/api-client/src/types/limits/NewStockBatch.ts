/** Limits of the fields. Generated. */
export const NewStockBatch = {
  drugId: {"required":true},
  batchNo: {"required":true,"longest":40},
  location: {"longest":40,"initially":"Pharmacy"},
  expiresOn: {"required":true},
  costPrice: {"least":0,"most":999999999999},
  quantity: {"required":true,"least":1,"most":1000000000},
} as const;
