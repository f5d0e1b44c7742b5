/** Limits of the fields. Generated. */
export const NewInvoice = {
  notes: {"longest":500},
  dueOn: {},
  insurer: {"longest":100},
  policyNo: {"longest":60},
  patientId: {"required":true,"isFilter":true},
  payerId: {"isFilter":true},
  payerGroup: {"longest":40},
  coverageBps: {"least":0,"most":10000,"initially":0},
  discount: {"parts":{"amount":{"required":true,"least":0,"most":999999999999999}}},
  lines: {"parts":{"itemId":{},"chargeId":{},"itemGroup":{"choices":["consultation","laboratory","pharmacy","other"]},"description":{"longest":200},"unitPrice":{"least":0,"most":999999999999999},"quantity":{"least":1,"most":1000000,"initially":1},"taxBps":{"least":0,"most":10000},"discount":{"parts":{"amount":{"required":true,"least":0,"most":999999999999999}}},"coverageBps":{"least":0,"most":10000}}},
  currency: {"pattern":"^[A-Z]{3}$"},
  openCharges: {"initially":false},
} as const;
