/** Limits of the fields. Generated. */
export const NewDrug = {
  code: {"required":true,"isFilter":true,"longest":40},
  name: {"required":true,"longest":100},
  ingredients: {"required":true,"longest":100},
  allergyGroups: {"longest":100,"initially":[]},
  form: {"required":true,"longest":40},
  strength: {"longest":40},
  unit: {"required":true,"longest":20},
  isControlled: {"isFilter":true,"initially":false},
  maxDailyDose: {"most":100000},
  mgPerUnit: {"most":100000},
  maxDailyMgPerKg: {"most":100000},
  reorderLevel: {"least":0,"most":1000000000,"initially":0},
  price: {"least":0,"most":999999999999},
  taxBps: {"least":0,"most":10000,"initially":0},
} as const;
