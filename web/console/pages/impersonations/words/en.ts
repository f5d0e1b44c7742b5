export default {
  acting: {
    how: 'You see the portal as this person does. The owners of the hospital get an email with your name and the reason, and the audit log shows both of you.',
    hospital: 'Hospital',
    hospitalHow: 'Its name, or the name in its address, like st-mary',
    person: 'Person',
    personHow: 'A name, an email address or an employee code',
    another: '{{label}}: choose another one',
    reasonHow: 'At least 10 characters. The owners read it.',
    mode: 'What you may do',
    start: 'Begin',
    ready: 'You can act as {{person}} at {{hospital}} until {{until}}.',
    open: 'Open the portal',
    openHow: 'Opens a new tab, once, within a minute.',
    own: 'Your impersonations',
    none: 'There are none yet.',
  },
  error: {
    code: {
      PERSON_UNKNOWN: 'Nobody at this hospital has an account with this address.',
      PERSON_NOT_IMPERSONABLE: 'Nobody may act as this person: an owner, a display, or somebody who is not active.',
    },
  },
};
