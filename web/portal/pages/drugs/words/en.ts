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
    mgPerUnit: 'Milligrams in a unit',
    mgPerUnitHelp: 'Only for a dose by weight. Of a syrup of 250 mg/5 mL, 1 mL has 50.',
    maxDailyMgPerKg: 'Most milligrams a day, for each kilogram',
    maxDailyMgPerKgHelp:
      'Only together with the milligrams in a unit. With 60, a child of 10 kg gets at most 600 mg a day.',
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
