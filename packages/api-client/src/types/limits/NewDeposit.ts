/** Limits of the fields. Generated. */
export const NewDeposit = {
  amount: {"least":1,"most":999999999999999},
  method: {"choices":["CASH","CARD","TRANSFER","MOBILE","INSURANCE","ADVANCE"]},
  tendered: {"least":0,"most":999999999999999},
  reference: {"longest":100},
  parts: {"parts":{"method":{"required":true,"choices":["CASH","CARD","TRANSFER","MOBILE","INSURANCE","ADVANCE"]},"amount":{"required":true,"least":1,"most":999999999999999},"tendered":{"least":0,"most":999999999999999},"reference":{"longest":100},"depositId":{}}},
  currency: {"pattern":"^[A-Z]{3}$"},
  patientId: {"required":true,"isFilter":true},
  note: {"longest":200},
  idempotencyKey: {},
} as const;
