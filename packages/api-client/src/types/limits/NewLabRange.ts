/** Limits of the fields. Generated. */
export const NewLabRange = {
  sex: {"choices":["any","female","male"],"initially":"any"},
  ageUnit: {"choices":["days","hours"],"initially":"days"},
  fromAge: {"least":0,"most":55000,"initially":0},
  toAge: {"least":1,"most":55000},
  low: {"longest":20,"pattern":"^-?[0-9]{1,12}(?:\\.[0-9]{1,6})?$"},
  high: {"longest":20,"pattern":"^-?[0-9]{1,12}(?:\\.[0-9]{1,6})?$"},
  criticalLow: {"longest":20,"pattern":"^-?[0-9]{1,12}(?:\\.[0-9]{1,6})?$"},
  criticalHigh: {"longest":20,"pattern":"^-?[0-9]{1,12}(?:\\.[0-9]{1,6})?$"},
} as const;
