import { describe, expect, it } from '@jest/globals';
import { commandFor, type Missing, madeIn, referencesIn } from './references.ts';

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
      imagePullSecrets: [{name: registry}]
      volumes:
        - name: signing-key
          secret: {secretName: hms-signing-key, items: [{key: key.pem, path: key.pem}]}
        - {name: ca, configMap: {name: our-authority, items: [{key: ca.crt, path: ca.crt}]}}
        - {name: own, configMap: {name: of-the-chart}}
---
kind: ConfigMap
metadata: {name: of-the-chart}
---
kind: Ingress
spec: {tls: [{hosts: [a.example], secretName: hms-tls}]}
---
kind: Job
spec:
  template:
    spec:
      containers:
        - env: [{name: C, valueFrom: {secretKeyRef: {name: hms-database, key: modules-url}}}]
`;

describe('the references of a release', () => {
  it('are the Secrets and ConfigMaps that it does not contain, with all their keys', () => {
    expect(referencesIn(MANIFESTS)).toEqual([
      { kind: 'Secret', name: 'registry', keys: [], type: 'docker-registry' },
      { kind: 'Secret', name: 'hms-database', keys: ['operator-url', 'modules-url'] },
      { kind: 'Secret', name: 'hms-signing-key', keys: ['key.pem'] },
      { kind: 'ConfigMap', name: 'our-authority', keys: ['ca.crt'] },
      { kind: 'Secret', name: 'hms-tls', keys: ['tls.crt', 'tls.key'], type: 'tls', later: true },
    ]);
    expect([...madeIn(MANIFESTS)]).toEqual([['hms-signing-key', 'signing-key']]);
  });

  it.each<[Partial<Missing>, string]>([
    [{}, "create secret generic x --from-literal=id='…' --from-literal=secret='…'"],
    [{ there: true, keys: ['id'] }, `patch secret x -p '{"stringData":{"id":"…"}}'`],
    [{ kind: 'ConfigMap', keys: ['ca.crt'] }, "create configmap x --from-file=ca.crt='…'"],
    [{ kind: 'ConfigMap', keys: ['ca.crt'], there: true }, `patch configmap x -p '{"data":{"ca.crt":"…"}}'`],
    [{ type: 'tls' }, "create secret tls x --cert='…' --key='…'"],
    [
      { type: 'docker-registry' },
      "create secret docker-registry x --docker-server='…' --docker-username='…' --docker-password='…'",
    ],
  ])('that are missing (%j) have the command that creates them', (own, command) => {
    const missing: Missing = { kind: 'Secret', name: 'x', keys: ['id', 'secret'], there: false, ...own };
    expect(commandFor('hms', missing)).toBe(`kubectl -n hms ${command}`);
  });
});
