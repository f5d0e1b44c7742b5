export default {
  displays: {
    new: 'Pair a display',
    pair: 'Pair',
    search: 'Name',
    empty: 'There are no displays yet. Open the path /tv of this address on a television.',
    details: 'Details',
    code: 'Code on the display',
    codeHow: 'Eight letters, which change after ten minutes',
    name: 'Name',
    nameHow: 'Where it hangs, such as “Waiting room 2”',
    clinicIds: 'Clinics',
    noClinics: 'A display shows the queues of clinics, and there are none yet.',
    look: 'Look at the television first',
    lookWhy: 'Enter only a code that you read from a screen of this hospital. Never use one that somebody sent you.',
    state: 'State',
    states: {
      settingUp: 'Being set up',
      on: 'On',
      off: 'Off, or without a network',
      never: 'Not seen yet',
    },
    lastSeenAt: 'Last seen',
    seen: 'Last seen {{when}}',
    unpair: 'Unpair',
    confirm: 'Unpair “{{name}}”? It stops at once, and has to be paired again to be used.',
  },
  form: {
    problem: {
      clinic: 'Choose at least one clinic.',
      displayCode: 'Write the eight letters on the display, like BCDF-GHJK.',
    },
  },
  error: {
    code: {
      DISPLAY_CODE_UNKNOWN:
        'No display shows this code now. Compare it with the screen, whose code changes after ten minutes.',
      TOO_MANY_DISPLAY_CODES: 'Too many codes were wrong. Wait {{seconds}} s, then try again.',
    },
  },
};
