export default {
  events: {
    empty: 'There are no events.',
    when: 'When (UTC)',
    who: 'Who',
    what: 'Action',
    record: 'Record',
    details: 'Details',
    search: 'Name or email address',
    action: {
      create: 'Created',
      update: 'Changed',
      delete: 'Deleted',
      transition: 'New state',
      login: 'Logged in',
      'login.failed': 'Login refused',
      logout: 'Logged out',
    },
    table: { role_templates: 'Role template', accounts: 'Account', hospitals: 'Hospital', migrations: 'Migrations' },
  },
};
