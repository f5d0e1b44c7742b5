export default {
  notices: {
    new: 'New notice',
    search: 'Text',
    empty: 'There are no notices yet. Displays show them beside the queues.',
    text: 'Text',
    validFrom: 'First day',
    validTo: 'Last day',
    confirm: 'Delete the notice “{{name}}”?',
  },
  error: {
    code: {
      NOTICE_DAYS: 'The last day must not be before the first one.',
    },
  },
};
