import { describe, expect, it } from '@jest/globals';
import { commandFor, secretsIn, signingKeyIn } from './secrets.ts';

const MANIFESTS = `
kind: CustomResourceDefinition
spec: {properties: {secretKeyRef: {name: of-a-definition, key: x}}}
---
kind: Deployment
spec:
  template:
    spec:
      containers:
        - env:
            - {name: A, valueFrom: {secretKeyRef: {name: hms-database, key: operator-url}}}
            - {name: B, valueFrom: {secretKeyRef: {name: maybe, key: x, optional: true}}}
      volumes:
        - name: signing-key
          secret: {secretName: hms-signing-key, items: [{key: key.pem, path: key.pem}]}
---
kind: Job
spec:
  template:
    spec:
      containers:
        - env: [{name: C, valueFrom: {secretKeyRef: {name: hms-database, key: modules-url}}}]
`;

describe('the Secrets of a release', () => {
  it('are those that its pods refer to, with all their keys', () => {
    expect([...secretsIn(MANIFESTS)].map(([name, keys]) => [name, [...keys]])).toEqual([
      ['hms-database', ['operator-url', 'modules-url']],
      ['hms-signing-key', ['key.pem']],
    ]);
    expect(signingKeyIn(MANIFESTS)).toBe('hms-signing-key');
  });

  it('that are missing come with the command that makes them', () => {
    const secret = { name: 'hms-s3', keys: ['id', 'secret'], there: false };
    expect(commandFor('hms', secret)).toBe(
      "kubectl -n hms create secret generic hms-s3 --from-literal=id='…' --from-literal=secret='…'",
    );
    expect(commandFor('hms', { ...secret, keys: ['id'], there: true })).toBe(
      `kubectl -n hms patch secret hms-s3 -p '{"stringData":{"id":"…"}}'`,
    );
  });
});
