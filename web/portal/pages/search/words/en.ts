export default {
  search: {
    field: 'Name, date of birth, phone or number',
    name: 'Name or number',
    more: 'Details',
    hint: 'Type at least two characters. The arrow keys walk through what is found, and Enter opens it.',
    all: 'All that match “{{text}}”',
  },
};
