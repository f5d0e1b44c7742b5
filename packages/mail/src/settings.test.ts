import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { mailServerOf, SMTP_SETTINGS } from './settings.ts';

const read = (env: Record<string, string>) =>
  mailServerOf(z.object(SMTP_SETTINGS).parse({ SMTP_HOST: 'mail', SMTP_FROM: 'no-reply@hms.example', ...env }));

describe('mailServerOf', () => {
  it.each([
    [{}, 25, 'none'],
    [{ SMTP_TLS: 'starttls' }, 587, 'starttls'],
    [{ SMTP_TLS: 'implicit' }, 465, 'implicit'],
    [{ SMTP_TLS: 'implicit', SMTP_PORT: '2465' }, 2465, 'implicit'],
  ])('reads %j as port %d with TLS %s', (env, port, tls) => {
    expect(read(env)).toMatchObject({ host: 'mail', port, tls, login: undefined });
  });

  it('reads the login', () => {
    const env = { SMTP_TLS: 'starttls', SMTP_USER: 'hms', SMTP_PASSWORD: 'secret' };
    expect(read(env).login).toEqual({ user: 'hms', password: 'secret' });
  });

  it.each([
    [{ SMTP_TLS: 'starttls', SMTP_USER: 'hms' }, 'SMTP_PASSWORD is not set: set it, or remove SMTP_USER'],
    [{ SMTP_TLS: 'starttls', SMTP_PASSWORD: 'secret' }, 'SMTP_USER is not set: set it, or remove SMTP_PASSWORD'],
    [{ SMTP_USER: 'hms', SMTP_PASSWORD: 'secret' }, 'SMTP_TLS is none, which would send the password unencrypted'],
  ])('refuses %j and says what to set', (env, message) => {
    expect(() => read(env)).toThrow(message);
  });
});
