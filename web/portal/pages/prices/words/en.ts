export default {
  'price-items': {
    new: 'New item',
    search: 'Name or code',
    empty: 'The price list is empty.',
    name: 'Name',
    code: 'Code',
    itemGroup: 'Group',
    taxBps: 'Tax',
    departmentId: 'Department',
    itemGroupChoices: { consultation: 'Consultations', laboratory: 'Laboratory', pharmacy: 'Pharmacy', other: 'Other' },
    confirm: 'Delete the item “{{name}}”?',
  },
  prices: {
    new: 'New price',
    search: 'Search',
    empty: 'There are no prices yet.',
    itemId: 'Item',
    amount: 'Price',
    payerGroup: 'Only for the payer group',
    validFrom: 'First day',
    validTo: 'Last day',
    confirm: 'Delete the price from {{name}}?',
  },
  error: {
    code: {
      PRICE_ITEM_CODE_TAKEN: 'Another item has this code. Choose another one.',
      PRICE_ITEM_IN_USE: 'The item has prices or is on invoices. Deactivate it instead.',
      PRICE_OVERLAP: 'Another price of this item holds on some of these days. End that one first.',
      PRICE_DAYS: 'The last day must not be before the first one.',
    },
  },
};
