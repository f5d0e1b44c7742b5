import { fileRights } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import { policyChange } from './bucket-policy.ts';

const policy = (...Statement: readonly object[]) => JSON.stringify({ Version: '2012-10-17', Statement });
const anybody = { Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: 'arn:aws:s3:::hms/*' };
const backup = { ...anybody, Principal: { AWS: 'backup' } };
const own = fileRights('hms', 'modules');

describe('a policy of named accounts', () => {
  const change = (text: string | undefined) => policyChange(text, 'hms', undefined);

  it.each([
    ['nothing', undefined],
    ['one account', policy(backup)],
    ['nobody without TLS', policy({ Effect: 'Deny', Principal: '*', Action: 's3:*' })],
    ['the modules, with any rights', policy({ ...anybody, Principal: { AWS: ['modules'] } })],
  ])('is left if it names %s', (_, text) => {
    expect(change(text)).toBeUndefined();
  });

  it.each([
    ['anybody', anybody],
    ['anybody, as a list', { ...anybody, Principal: { AWS: ['*'] } }],
    ['everybody but one account', { Effect: 'Allow', NotPrincipal: { AWS: 'arn:aws:iam::1:root' } }],
  ])('loses what admits %s', (_, statement) => {
    expect(change(policy(statement, backup))).toEqual({ detail: 'public policy', policy: policy(backup) });
    // Without statements, there is no policy.
    expect(change(policy(statement))).toEqual({ detail: 'public policy', policy: undefined });
    expect(change(JSON.stringify({ Statement: statement }))?.policy).toBeUndefined();
  });
});

describe('the rights of the modules', () => {
  const change = (text: string | undefined) => policyChange(text, 'hms', 'modules');
  const restored = { detail: 'rights of the modules', policy: policy(...own) };

  it('are as they should be in any order, next to other accounts and conditions for everybody', () => {
    const onlyTls = {
      ...{ Effect: 'Deny', Principal: '*', Action: 's3:*', Resource: 'arn:aws:s3:::hms/*' },
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    };
    const shuffled = own.toReversed().map((statement) => ({
      ...statement,
      Principal: { AWS: 'modules' },
      Action: statement.Action.toReversed(),
      Resource: statement.Resource.toReversed(),
    }));
    expect(change(policy(onlyTls, ...shuffled, backup))).toBeUndefined();
  });

  it.each([
    ['there is no policy', undefined],
    ['one statement is missing', policy(...own.slice(1))],
    ['they may do everything', policy({ ...anybody, Principal: { AWS: ['modules'] }, Action: 's3:*' })],
    ['they may do more', policy(...own, { ...anybody, Principal: { AWS: ['modules'] }, Action: 's3:PutBucketPolicy' })],
    ['they are denied something', policy(...own, { ...anybody, Effect: 'Deny', Principal: { AWS: ['modules'] } })],
    ['everybody is denied something', policy(...own, { ...anybody, Effect: 'Deny' })],
    ['everybody but another one is denied something', policy(...own, { Effect: 'Deny', NotPrincipal: { AWS: 'x' } })],
  ])('are restored if %s', (_, text) => {
    expect(change(text)).toEqual(restored);
  });
});
