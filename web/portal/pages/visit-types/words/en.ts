export default {
  'visit-types': {
    new: 'New type of visit',
    search: 'Name or code',
    empty: 'There are no types of visits yet: each appointment is as long as the working hours say.',
    name: 'Name',
    code: 'Code',
    minutes: 'Minutes',
    clinicId: 'Clinic',
    clinicIdHelp: 'Without one, every clinic has such visits.',
    confirm: 'Delete the type of visit “{{name}}”?',
  },
  error: {
    code: {
      VISIT_TYPE_CODE_TAKEN: 'Another type of visit has this code.',
      VISIT_TYPE_INACTIVE: 'This type of visit is not in use. Choose another one.',
      VISIT_TYPE_NOT_FOUND: 'This type of visit is not there any more. Choose another one.',
    },
  },
};
