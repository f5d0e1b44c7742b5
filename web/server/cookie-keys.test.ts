import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { cookieKeys } from './cookie-keys.ts';

const [old, young] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

describe('a cookie', () => {
  it('shows nothing of its text, and gives it back for the same host only', async () => {
    const keys = cookieKeys([old]);
    const sealed = await keys.encrypt('a refresh token', 'st-mary.example');
    expect(Buffer.from(sealed, 'base64url').toString()).not.toContain('refresh');
    expect(sealed).toMatch(/^[\w.-]+$/);
    expect(await keys.decrypt(sealed, 'st-mary.example')).toBe('a refresh token');
    expect(await keys.decrypt(sealed, 'city.example')).toBeUndefined();
  });

  it('outlives the replacement of its key until that key is removed', async () => {
    const sealed = await cookieKeys([old]).encrypt('text', 'host');
    expect(await cookieKeys([young, old]).decrypt(sealed, 'host')).toBe('text');
    expect(await cookieKeys([young]).decrypt(sealed, 'host')).toBeUndefined();
    const next = await cookieKeys([young, old]).encrypt('text', 'host');
    expect(await cookieKeys([young]).decrypt(next, 'host')).toBe('text');
  });

  it('is worth nothing if it was changed, or is none', async () => {
    const keys = cookieKeys([old]);
    const sealed = await keys.encrypt('text', 'host');
    const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
    for (const bad of [changed, '', 'x', `${sealed}.x`]) expect(await keys.decrypt(bad, 'host')).toBeUndefined();
  });
});

it.each([[[]], [['c2hvcnQ=']], [[old, 'x']]])('refuses keys that are none: %j', (lines) => {
  expect(() => cookieKeys(lines)).toThrow('create one with "openssl rand -base64 32"');
});
