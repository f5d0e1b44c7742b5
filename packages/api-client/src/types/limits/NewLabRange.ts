/** Limits of the fields. Generated. */
export const NewLabRange = {
  sex: {"choices":["any","female","male"],"initially":"any"},
  fromDays: {"least":0,"most":55000,"initially":0},
  toDays: {"least":1,"most":55000},
  low: {"longest":20},
  high: {"longest":20},
  criticalLow: {"longest":20},
  criticalHigh: {"longest":20},
} as const;
