export default {
  clinics: {
    new: 'New clinic',
    search: 'Name or code',
    empty: 'There are no clinics yet.',
    name: 'Name',
    code: 'Code',
    departmentId: 'Department',
    location: 'Where people find it',
    slotMinutes: 'Minutes of an appointment',
    slotMinutesHelp: 'New working hours suggest them.',
    tokenPrefix: 'Letters before the number of a token',
    tokenPrefixHelp: 'With A, tokens are A-001, A-002 and so on.',
    isQueueEnabled: 'People without an appointment can wait here',
    confirm: 'Delete the clinic “{{name}}”?',
  },
  error: {
    code: {
      CLINIC_INACTIVE: 'This clinic is not in use. Choose another one.',
      CLINIC_CODE_TAKEN: 'Another clinic has this code.',
    },
  },
};
