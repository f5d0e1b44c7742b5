export default {
  records: {
    create: 'Create',
    delete: 'Delete',
    deleteHow: 'It is in no list any more. What was recorded with it stays.',
    activate: 'Use again',
    deactivate: 'Do not use for now',
    status: 'Status',
    statuses: { active: 'In use', inactive: 'Not in use' },
    yes: 'Yes',
    no: 'No',
  },
  form: {
    problem: {
      pattern: 'Write it as in the example.',
      money: 'Write an amount of money, like 12.50.',
      choose: 'Choose one.',
      number: 'Write a whole number within the limits.',
      percent: 'Write a number from 0 to 100, like 12.5.',
      decimal: 'Write a number above zero, with at most three decimals.',
      together: 'Fill in this field too, or leave both of them empty.',
    },
  },
};
