/** Limits of the fields. Generated. */
export const NewDrugInteraction = {
  substanceA: {"required":true,"longest":100},
  substanceB: {"required":true,"longest":100},
  severity: {"required":true,"isFilter":true,"choices":["minor","moderate","severe"]},
  effect: {"required":true,"longest":500},
} as const;
