import type { Words } from './words.ts';

export const en: Words = {
  language: 'English',
  direction: 'ltr',
  title: 'Hospital platform',
  description: 'Find the pages of your hospital.',
  lead: 'Many hospitals work on this platform. Each one has its own address and its own pages.',
  languages: 'Languages',
  find: {
    title: 'Find your hospital',
    television: 'In which hospital is this television?',
    televisionHow: 'Find the hospital, and the television shows the code with which it is paired.',
    label: 'Name of the hospital',
    hint: 'A part of the name is enough, such as “mary”. The short name works too.',
    button: 'Find',
    results: 'Hospitals found',
    suspended: 'Suspended at the moment. Nobody can log in.',
    more: 'Other hospitals match too. Write more of the name.',
    all: 'All hospitals',
    previous: 'Previous page',
    next: 'Next page',
    problem: {
      none: 'No hospital here has this name. Check the spelling, or ask your hospital for its address.',
      short:
        'Write at least three letters of a word in the name. In Arabic, Chinese, Japanese or Korean, two are enough.',
      often: 'There were too many searches from your network. Wait ten minutes, then search again.',
      unavailable:
        'The search does not work at the moment. If you know the address of your hospital, open it directly.',
    },
  },
  lost: {
    title: 'Page not found',
    text: 'There is no page at this address. Check how it is written.',
    nobody: 'No hospital here has this address. Check how it is written, or ask your hospital for its address.',
  },
  about: [
    {
      title: 'Patients and visitors',
      text: 'You need no account. Your hospital sends you links to your appointments. For everything else, ask its reception.',
    },
    {
      title: 'Staff',
      text: 'Find your hospital, and log in on its page. Your invitation by email has the address too.',
    },
    {
      title: 'Help',
      text: 'The administrators of your hospital help with accounts and passwords.',
    },
  ],
  status: {
    title: 'Status',
    link: 'Does everything work?',
    allWork: 'Everything works.',
    someFail: 'Some parts do not work at the moment.',
    works: 'Works',
    fails: 'Does not work at the moment',
    parts: {
      login: 'Login',
      hms: 'Patients, laboratory and pharmacy',
      queue: 'Appointments and queues',
      payment: 'Invoices and payments',
      crm: 'Families, VIPs and visitors',
    },
    checked: 'Checked at {time}.',
    again: 'Check again',
    repeat: 'Check every 30 seconds',
    stop: 'Stop checking every 30 seconds',
    back: 'Find your hospital',
  },
};
