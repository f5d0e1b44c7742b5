import { describe, expect, it } from '@jest/globals';
import { readTokenAnswer } from './token-answer.ts';

const grant = (description: string) => JSON.stringify({ error: 'invalid_grant', error_description: description });

describe('readTokenAnswer', () => {
  it('reads tokens', () => {
    const text = '{"access_token":"a","refresh_token":"r","expires_in":300,"refresh_expires_in":1800,"scope":""}';
    expect(readTokenAnswer(200, text)).toEqual({
      kind: 'tokens',
      tokens: { accessToken: 'a', refreshToken: 'r', expiresIn: 300, refreshExpiresIn: 1800 },
    });
  });

  it.each([
    [400, grant('Invalid user credentials'), 'refused'],
    [400, grant('Account disabled'), 'account-disabled'],
    [400, grant('Account is not fully set up'), 'account-not-ready'],
    [400, grant('Session not active'), 'refused'],
    [403, '{"error":"access_denied","error_description":"Realm not enabled"}', 'realm-disabled'],
    [403, '{"error":"invalid_request","error_description":"HTTPS required"}', 'unusable'],
    [400, '{"error":"invalid_client"}', 'unusable'],
    [404, '{"error":"Realm does not exist"}', 'unusable'],
    [502, '<html>Bad gateway</html>', 'unusable'],
    [200, '{"access_token":"a"}', 'unusable'],
    [204, '', 'done'],
  ])('reads %i %s as %s', (status, text, kind) => {
    expect(readTokenAnswer(status, text).kind).toBe(kind);
  });
});
