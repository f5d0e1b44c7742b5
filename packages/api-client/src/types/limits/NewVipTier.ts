/** Limits of the fields. Generated. */
export const NewVipTier = {
  name: {"required":true,"longest":50},
  priorityWeight: {"least":0,"most":100,"initially":0},
  consultationBps: {"least":0,"most":10000,"initially":0},
  laboratoryBps: {"least":0,"most":10000,"initially":0},
  pharmacyBps: {"least":0,"most":10000,"initially":0},
  otherBps: {"least":0,"most":10000,"initially":0},
} as const;
