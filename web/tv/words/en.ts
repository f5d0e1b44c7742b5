import type { Forms } from '../../kit/plain/language.ts';

/** What a television shows. `{…}` stands for a value. */
export const words = {
  starting: 'One moment…',
  pairTitle: 'Pair this display',
  pairHow:
    'An administrator of the hospital opens this address and enters the code, or scans the picture with a phone:',
  code: 'Code',
  qr: 'Picture with the address and the code',
  codeUntil: 'The code changes at {time}.',
  pairedAs: 'This display',
  clinics: 'Clinics',
  notices: 'Notices',
  asOf: 'As of {time}',
  askDesk: 'As of {time}. Please ask at the desk.',
  next: 'Next',
  nobody: 'Nobody is waiting.',
  waiting: 'Waiting: {count}',
  minutes: { other: 'about {from} min' } as Forms,
  minutesTo: { other: '{from} to {to} min' } as Forms,
  call: 'Number {token}',
  callTo: 'Number {token}, to {room}',
  soundOff: 'Sound is off. Press here to turn it on.',
  connected: 'Connected',
  lostSince: 'No connection since {time}. This page continues by itself.',
  problem: {
    HOSPITAL_UNKNOWN: 'There is no hospital at this address. Check how it is written.',
    HOSPITAL_SUSPENDED: 'This hospital is suspended. The display continues by itself afterwards.',
    HOSPITAL_NOT_READY: 'This hospital is being set up. The display continues by itself afterwards.',
    TOO_MANY_DISPLAY_CODES: 'Too many displays asked for a code. This one asks again by itself.',
    other: 'The server has a problem at the moment. The display continues by itself.',
  },
};
export type Words = typeof words;
