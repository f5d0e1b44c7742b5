import { describe, expect, it } from '@jest/globals';
import { isPublic, rulesThatKeepFiles, withoutPublic } from './bucket-settings.ts';

describe('isPublic', () => {
  const policy = (Effect: string, Principal: unknown) => JSON.stringify({ Statement: [{ Effect, Principal }] });

  it.each([
    ['anybody', policy('Allow', '*'), true],
    ['anybody, as a list', policy('Allow', { AWS: ['*'] }), true],
    [
      'everybody but one account',
      JSON.stringify({ Statement: [{ Effect: 'Allow', NotPrincipal: { AWS: 'arn:aws:iam::1:root' } }] }),
      true,
    ],
    ['one account', policy('Allow', { AWS: 'arn:aws:iam::1:root' }), false],
    ['nobody without TLS', policy('Deny', '*'), false],
    ['anybody, in a single statement', '{"Statement":{"Effect":"Allow","Principal":"*"}}', true],
    ['nobody, as there is none', undefined, false],
  ])('recognises a policy that admits %s', (_, text, expected) => {
    expect(isPublic(text)).toBe(expected);
  });
});

describe('withoutPublic', () => {
  const named = { Effect: 'Allow', Principal: { AWS: ['modules'] }, Action: 's3:GetObject' };
  const anybody = { Effect: 'Allow', Principal: '*', Action: 's3:GetObject' };

  it('keeps what admits named accounts', () => {
    const policy = JSON.stringify({ Version: '2012-10-17', Statement: [anybody, named] });
    expect(JSON.parse(withoutPublic(policy) ?? '')).toEqual({ Version: '2012-10-17', Statement: [named] });
  });

  it('leaves no policy without statements', () => {
    expect(withoutPublic(JSON.stringify({ Statement: anybody }))).toBeUndefined();
  });
});

describe('rulesThatKeepFiles', () => {
  it('allows older versions to expire, but not current ones', () => {
    const older = { ID: 'older', Status: 'Enabled', NoncurrentVersionExpiration: { NoncurrentDays: 90 } } as const;
    const markers = { ID: 'markers', Status: 'Enabled', Expiration: { ExpiredObjectDeleteMarker: true } } as const;
    const all = { ID: 'all', Status: 'Enabled', Expiration: { Days: 1 } } as const;
    expect(rulesThatKeepFiles([older, markers, all])).toEqual([older, markers]);
  });
});
