/** Mails to a real mail server over SMTP. */
import { createServer } from 'node:net';
import tls from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Pair, pair } from '../../../services/gateway/src/testing/certificates.ts';
import { createMailer } from './mailer.ts';
import type { MailServer } from './settings.ts';
import { startTestMailServer, type TestMailServer, type TestMailServerOptions } from './testing/mail-server.ts';

const LOGIN = { user: 'hms', password: 'correct-horse-battery' };
const HOSPITAL = { displayName: 'Krankenhaus Süd', language: 'en', theme: {} };
const MAIL = {
  hospital: HOSPITAL,
  template: 'login-code',
  to: 'ann@south.example',
  values: { code: '123456', minutes: 5 },
} as const;
const trusted = tls.getCACertificates('default');

let certificate: Pair;
let server: TestMailServer;

beforeAll(async () => {
  certificate = await pair('localhost', true);
  tls.setDefaultCACertificates([...trusted, certificate.cert]);
});
afterAll(() => tls.setDefaultCACertificates(trusted));
afterEach(() => server.stop());

/** A client of a new server. */
async function mailer(offered: TestMailServerOptions, settings: Partial<MailServer> = {}, timeoutMs?: number) {
  server = await startTestMailServer({ certificate, ...offered });
  const { host, port } = server;
  const address = { host, port, from: 'no-reply@hms.example', tls: offered.tls };
  return createMailer({ ...address, ...settings }, timeoutMs);
}

describe('a mail', () => {
  it.each(['starttls', 'implicit'] as const)('is sent over TLS (%s) with a login', async (mode) => {
    const { send } = await mailer({ tls: mode, login: LOGIN }, { login: LOGIN });
    await send(MAIL);
    expect(server.received).toMatchObject([{ secure: true, user: 'hms', recipients: ['ann@south.example'] }]);
    const raw = server.received[0]?.raw ?? '';
    expect(raw).toMatch(/^From: =\?UTF-8\?\S+ <no-reply@hms\.example>\r$/m);
    expect(raw).toMatch(/^To: ann@south\.example\r$/m);
    expect(raw).toMatch(/^Content-Type: multipart\/alternative/m);
    expect(raw).toMatch(/^Content-Type: text\/plain/m);
    expect(raw).toMatch(/^Content-Type: text\/html/m);
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  });

  it('is sent unencrypted if so configured, whatever the server offers', async () => {
    const { send } = await mailer({ tls: 'starttls' }, { tls: 'none' });
    await send(MAIL);
    expect(server.received).toMatchObject([{ secure: false }]);
  });

  it('contains the logo as a file', async () => {
    const { send } = await mailer({ tls: 'none' });
    const logo = { contentType: 'image/png', content: Buffer.from('a picture') };
    await send({ ...MAIL, hospital: { ...HOSPITAL, logo } });
    const raw = server.received[0]?.raw ?? '';
    expect(raw).toContain('Content-ID: <logo@hms>');
    expect(raw).toContain(logo.content.toString('base64'));
  });

  it('has an entry of a calendar as another form of the text, and as a file', async () => {
    const { send, from } = await mailer({ tls: 'none' });
    const content = 'BEGIN:VCALENDAR\r\nMETHOD:CANCEL\r\nEND:VCALENDAR\r\n';
    await send({ ...MAIL, calendar: { method: 'cancel', content } });
    const raw = server.received[0]?.raw ?? '';
    const forms = [...raw.matchAll(/^Content-Type: (text\/(?:plain|html|calendar)[^\r]*(?:\r\n [^\r]*)*)/gm)];
    expect(forms.map(([, type = '']) => type.split(';')[0])).toEqual(['text/plain', 'text/html', 'text/calendar']);
    expect(forms[2]?.[1]).toMatch(/method=CANCEL/);
    expect(raw).toMatch(/filename="?appointment\.ics/);
    expect(raw.split(content.trim())).toHaveLength(2);
    expect(raw.split(Buffer.from(content).toString('base64'))).toHaveLength(2);
    expect(raw).toContain(`<${from}>`);
  });

  it('to an address with a line end reaches nobody else', async () => {
    const { send } = await mailer({ tls: 'none' });
    await send({ ...MAIL, to: 'ann@south.example\r\nBcc: eve@elsewhere.example' }).catch(() => undefined);
    for (const { recipients, raw } of server.received) {
      expect(recipients).not.toContain('eve@elsewhere.example');
      expect(raw).not.toMatch(/^Bcc:/m);
    }
  });
});

describe('an error', () => {
  const WRONG = { user: 'hms', password: 'wrong-horse' };

  it.each<[string, TestMailServerOptions, Partial<MailServer>, string, RegExp]>([
    [
      'a wrong password',
      { tls: 'starttls', login: LOGIN },
      { login: WRONG },
      'Misconfigured',
      /check SMTP_USER and SMTP_PASS/,
    ],
    [
      'a server without STARTTLS',
      { tls: 'none' },
      { tls: 'starttls' },
      'Misconfigured',
      /does not offer STARTTLS: set SMTP_TLS/,
    ],
    [
      'a server without TLS at once',
      { tls: 'starttls' },
      { tls: 'implicit' },
      'Misconfigured',
      /set SMTP_TLS to starttls/,
    ],
    [
      'a server that demands a login',
      { tls: 'starttls', login: LOGIN },
      {},
      'Misconfigured',
      /set SMTP_TLS, SMTP_USER/,
    ],
    ['a refused recipient', { tls: 'none', refusal: { status: 550, text: 'no ann' } }, {}, 'Refused', /the recipient/],
    [
      'a full mailbox',
      { tls: 'none', refusal: { status: 452, text: 'full' } },
      {},
      'Unavailable',
      /can't take mail now/,
    ],
  ])('of %s says what to set, without the password', async (_, offered, settings, kind, pattern) => {
    const { send } = await mailer(offered, settings);
    const error = await send(MAIL).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ name: 'MailError', kind, message: expect.stringMatching(pattern) });
    expect(JSON.stringify([String(error), error, (error as Error).cause])).not.toMatch(/horse|ann@/);
    expect(server.received).toEqual([]);
  });

  it('of an authority that is not trusted says where to add it', async () => {
    const { send } = await mailer(
      { tls: 'starttls', login: LOGIN, certificate: await pair('localhost', true) },
      { login: LOGIN },
    );
    await expect(send(MAIL)).rejects.toMatchObject({
      kind: 'Misconfigured',
      message: expect.stringMatching(/certificate .* is not trusted: .* NODE_EXTRA_CA_CERTS/),
    });
  });

  it.each(['', '220 mail ESMTP\r\n'])(
    'of a server that is silent after "%s" comes after the timeout',
    async (greeting) => {
      const silent = createServer((socket) => {
        // Reads, so that it sees the end of the connection.
        socket.on('error', () => undefined).resume();
        socket.write(greeting);
      });
      await new Promise<void>((resolve) => {
        silent.listen(0, '127.0.0.1', resolve);
      });
      const { port } = silent.address() as { port: number };
      const { verify } = await mailer({ tls: 'none' }, { port }, 500);
      const start = performance.now();
      await expect(verify()).rejects.toMatchObject({
        kind: 'Unavailable',
        message: expect.stringMatching(/does not answer/),
      });
      expect(performance.now() - start).toBeLessThan(10_000);
      silent.close();
    },
  );
});

describe('verify', () => {
  it('accepts a server that offers the encryption and takes the login, and sends nothing', async () => {
    const { verify } = await mailer({ tls: 'starttls', login: LOGIN }, { login: LOGIN });
    await verify();
    expect(server.received).toEqual([]);
  });
});
