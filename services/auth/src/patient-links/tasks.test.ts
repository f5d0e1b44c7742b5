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
  await task?.prepare(context, { appointmentId: randomUUID() });
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
  const [cancellation] = await sent('appointment-cancellation-mail', { ...MAIL, invitation: cancel });
  expect(cancellation).toMatchObject({ template: 'appointment-cancelled', calendar: cancel });
  expect(cancellation?.values).not.toHaveProperty('link');
});

it('nothing is sent if there is nothing to say any more', async () => {
  for (const name of ['appointment-mail', 'appointment-reminder', 'appointment-cancellation-mail'])
    expect([name, await sent(name, undefined)]).toEqual([name, []]);
});
