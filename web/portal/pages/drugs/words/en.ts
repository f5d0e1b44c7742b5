export default {
  drugs: {
    new: 'New drug',
    search: 'Search by name, code or ingredient',
    empty: 'There are no drugs yet.',
    name: 'Name',
    code: 'Code',
    ingredients: 'Ingredients',
    allergyGroups: 'Allergy groups',
    strength: 'Strength',
    form: 'Form',
    unit: 'Smallest unit',
    maxDailyDose: 'Most units a day',
    reorderLevel: 'Reorder level, in units',
    price: 'Price of a unit',
    taxBps: 'Tax',
    isControlled: 'The law demands special records',
    confirm: 'Delete the drug “{{name}}”?',
  },
  error: {
    code: {
      DRUG_CODE_TAKEN: 'Another drug has this code.',
      DRUG_IN_USE: 'The drug has stock or prescriptions. Do not use it for now, instead of deleting it.',
    },
  },
};
