export default {
  departments: {
    new: 'New department',
    search: 'Name or code',
    empty: 'There are no departments yet.',
    name: 'Name',
    code: 'Code',
    parentId: 'Part of',
    location: 'Location',
    confirm: 'Delete the department “{{name}}”?',
  },
  error: {
    code: {
      DEPARTMENT_CODE_TAKEN: 'Another department has this code. Choose another one.',
      DEPARTMENT_CYCLE: 'The department would be a part of itself. Choose another one.',
    },
  },
};
