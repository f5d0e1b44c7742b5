import { kitWords } from '../../kit/words/en.ts';

const consoleWords = {
  templates: {
    title: 'Role templates',
    how: 'A role template is a role that every hospital has. A hospital can withhold some of its permissions.',
    new: 'New role template',
    create: 'Create',
    name: 'Name',
    nameHow: 'Capitals, digits and underscores. It can’t be changed later.',
    description: 'What people with the role do',
    permissions: 'Permissions',
    permissionsHow: 'A change holds within seconds, at every hospital, for people who are logged in too.',
    of: 'For',
    appliesTo: { hospital: 'Hospitals', platform: 'The platform' },
    kind: 'Kind',
    system: 'Of the platform, fixed',
    status: { active: 'Yours', retired: 'Retired' },
    systemHow: 'This role belongs to every platform. Nobody can change it.',
    retire: 'Retire',
    restore: 'Restore',
    confirmRetire: 'Retire the role {{name}}? Everybody who has it loses its permissions within seconds.',
    retired: 'The role gives no permissions any more.',
    restored: 'People who have kept the role have its permissions again.',
  },
  events: {
    title: 'Audit log',
    empty: 'There are no events.',
    when: 'When (UTC)',
    who: 'Who',
    what: 'Action',
    record: 'Record',
    details: 'Details',
    search: 'Email address',
    action: {
      create: 'Created',
      update: 'Changed',
      delete: 'Deleted',
      transition: 'New state',
      login: 'Logged in',
      'login.failed': 'Login refused',
      logout: 'Logged out',
    },
    table: { role_templates: 'Role template' },
  },
};

export type ConsoleWords = typeof consoleWords;

export default { ...kitWords, ...consoleWords };
