/** Limits of the fields. Generated. */
export const NewLabTest = {
  code: {"required":true,"isFilter":true,"longest":20},
  name: {"required":true,"longest":100},
  departmentId: {"isFilter":true},
  specimenType: {"required":true,"longest":40},
  valueType: {"required":true,"choices":["numeric","text","coded"]},
  unit: {"longest":20},
  decimals: {"least":0,"most":6},
  options: {"parts":{"code":{"required":true,"longest":40},"name":{"required":true,"longest":100},"meaning":{"choices":["normal","abnormal","critical"],"initially":"normal"}}},
  loinc: {"pattern":"^[0-9]{1,7}-[0-9]$"},
  price: {"least":0,"most":999999999999},
  turnaroundMinutes: {"least":1,"most":527040,"initially":1440},
  ranges: {"initially":[]},
} as const;
