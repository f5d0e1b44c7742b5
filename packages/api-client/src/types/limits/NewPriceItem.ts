/** Limits of the fields. Generated. */
export const NewPriceItem = {
  code: {"required":true,"isFilter":true,"longest":40},
  name: {"required":true,"longest":200},
  itemGroup: {"required":true,"isFilter":true,"choices":["consultation","laboratory","pharmacy","other"]},
  taxBps: {"least":0,"most":10000,"initially":0},
  departmentId: {"isFilter":true},
} as const;
