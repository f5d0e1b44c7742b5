/** Limits of the fields. Generated. */
export const NewStockCount = {
  note: {"longest":200},
} as const;
