/** The mails about an appointment, as they reach the patient: template, language, time and entry of the calendar. */
import { randomUUID } from 'node:crypto';
import type { Hospital } from '@hms/database';
import type { Mailer } from '@hms/mail';
import { DEFAULT_SETTINGS } from '@hms/tenancy';
import { expect, it } from '@jest/globals';
import { appointmentMails } from './tasks.ts';

const HOSPITAL = {
  displayName: "St. Mary's",
  theme: {},
  timezone: 'Europe/Dublin',
  settings: { ...DEFAULT_SETTINGS, country: 'IE' },
} as unknown as Hospital;
const MAIL = {
  ...{ to: 'nora@example.org', language: 'en', firstName: 'Nora', startsAt: '2026-11-30T09:00:00.000Z' },
  ...{
    doctorName: 'Gregory House',
    clinicName: 'ENT',
    status: 'booked',
    offerExpiresAt: null,
    link: 'https://x/visit#y',
  },
};
/** The clock changes on 28 March 2027. */
const LIST = {
  ...{ to: 'nora@example.org', language: 'en', firstName: 'Nora', invitation: undefined },
  visits: [
    { startsAt: '2027-03-22T10:00:00.000Z', doctorName: 'Gregory House', clinicName: 'ENT' },
    { startsAt: '2027-03-29T09:00:00.000Z', doctorName: 'Gregory House', clinicName: 'ENT' },
    { startsAt: '2027-04-12T09:00:00.000Z', doctorName: 'James Wilson', clinicName: 'ENT' },
  ],
};
/** The first two, as the mail shows them. */
const GROUP = {
  ...{ doctor: 'Gregory House', clinic: 'ENT' },
  when: ['Monday 22 March 2027 at 10:00', 'Monday 29 March 2027 at 10:00'],
};
const INVITATION = { method: 'request', content: 'BEGIN:VCALENDAR' };

type Sent = Parameters<Mailer['send']>[0];

/** What the task sends for what it reads. */
async function sent(name: string, read: object | undefined): Promise<readonly Sent[]> {
  const all: Sent[] = [];
  const mailer = {
    from: 'no-reply@hms.example',
    send: async (mail: Sent) => void all.push(mail),
  } as unknown as Pick<Mailer, 'send' | 'from'>;
  const task = appointmentMails({ mailer }).find((one) => one.name === name);
  const context = { hospital: HOSPITAL, inTransaction: async () => read } as never;
  await task?.prepare(context, { appointmentId: randomUUID(), appointmentIds: [randomUUID()] });
  return all;
}

it('a new time comes with an entry for the calendar, and another one says that it has moved', async () => {
  for (const isMoved of [false, true]) {
    const [mail] = await sent('appointment-mail', { ...MAIL, isMoved, invitation: INVITATION });
    expect(mail).toMatchObject({
      ...{ to: 'nora@example.org', template: 'appointment', calendar: INVITATION, hospital: { language: 'en' } },
      values: { when: 'Monday 30 November 2026 at 09:00', isMoved, isConfirmed: false, link: MAIL.link },
    });
  }
  const confirmed = { ...MAIL, status: 'confirmed', isMoved: true, invitation: INVITATION };
  expect(await sent('appointment-mail', confirmed)).toMatchObject([{ values: { isMoved: false, isConfirmed: true } }]);
});

it('an offer says until when, in the language of the patient, and has no entry', async () => {
  const offer = {
    ...MAIL,
    language: 'ar',
    status: 'offered',
    offerExpiresAt: '2026-11-29T12:00:00.000Z',
    isMoved: false,
  };
  const [mail] = await sent('appointment-mail', { ...offer, invitation: undefined });
  expect(mail).toMatchObject({ template: 'appointment-offer', hospital: { language: 'ar' } });
  expect(mail?.values).toMatchObject({
    until: expect.stringContaining('نوفمبر'),
    when: expect.stringContaining('نوفمبر'),
  });
  expect(mail).not.toHaveProperty('calendar');
});

it('a reminder has no entry, and a cancellation has no link', async () => {
  const [reminder] = await sent('appointment-reminder', MAIL);
  expect(reminder).toMatchObject({ template: 'appointment', values: { isMoved: false, isConfirmed: false } });
  expect(reminder).not.toHaveProperty('calendar');
  const cancel = { method: 'cancel', content: 'BEGIN:VCALENDAR' };
  const { doctor, clinic, when } = GROUP;
  const cancelled = { ...LIST, visits: LIST.visits.slice(0, 1), invitation: cancel };
  const [cancellation] = await sent('appointment-cancellation-mail', cancelled);
  expect(cancellation).toMatchObject({ template: 'appointment-cancelled', calendar: cancel });
  expect(cancellation?.values).toEqual({ firstName: 'Nora', doctor, clinic, when: when[0] });
});

it('a series is one mail, in which those with another doctor are apart, and says whether mails come before', async () => {
  const { doctor, clinic, when } = GROUP;
  const calendar = { method: 'publish', content: 'BEGIN:VCALENDAR' };
  const groups = [
    { doctor, clinic, times: when },
    { doctor: 'James Wilson', clinic, times: ['Monday 12 April 2027 at 10:00'] },
  ];
  const list = { ...LIST, invitation: calendar };
  for (const isReminded of [true, false]) {
    const mails = await sent('appointment-mail', { ...list, isReminded });
    expect(mails).toMatchObject([{ template: 'appointment-series', to: LIST.to, calendar }]);
    expect(mails[0]?.values).toEqual({ firstName: 'Nora', groups, isReminded });
  }
  const cancellations = await sent('appointment-cancellation-mail', list);
  expect(cancellations).toMatchObject([{ template: 'appointment-series-cancelled', to: LIST.to, calendar }]);
  expect(cancellations[0]?.values).toEqual({ firstName: 'Nora', groups });
  const [inArabic] = await sent('appointment-mail', { ...list, isReminded: true, language: 'ar' });
  expect(inArabic).toMatchObject({ hospital: { language: 'ar' } });
  expect(JSON.stringify(inArabic?.values)).toContain('مارس');
});

it('nothing is sent if there is nothing to say any more', async () => {
  for (const name of ['appointment-mail', 'appointment-reminder', 'appointment-cancellation-mail'])
    expect([name, await sent(name, undefined)]).toEqual([name, []]);
});
