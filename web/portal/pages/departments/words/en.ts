export default {
  departments: {
    new: 'New department',
    search: 'Name or code',
    empty: 'There are no departments yet.',
    name: 'Name',
    code: 'Code',
    location: 'Location',
    confirm: 'Delete the department “{{name}}”?',
  },
  error: {
    code: {
      DEPARTMENT_CODE_TAKEN: 'Another department has this code. Choose another one.',
      DEPARTMENT_IN_USE:
        'Employees, clinics, lab tests or other departments belong to this department. Choose another department for them first, or do not use it for now.',
    },
  },
};
