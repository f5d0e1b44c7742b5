import { describe, expect, it } from '@jest/globals';
import { takeOver, withRemovals } from './take-over.ts';

const entry = (manager: string, operation: string, spec: object, more = {}) => ({
  ...{ manager, operation, fieldsV1: { 'f:spec': spec }, ...more },
});

describe('takeOver', () => {
  it('gives a manager what kubectl has applied, beside its own fields', () => {
    const others = entry('argocd-controller', 'Apply', { 'f:roles': {} });
    const status = entry('kubectl', 'Apply', { 'f:x': {} }, { subresource: 'status' });
    const kubectl = entry('kubectl-client-side-apply', 'Update', { 'f:settings': { 'f:country': {} } });
    const own = entry('hmsctl', 'Apply', { 'f:settings': { 'f:phone': {} }, 'f:timezone': {} });
    const all = { 'f:settings': { 'f:country': {}, 'f:phone': {} }, 'f:timezone': {} };
    expect(takeOver([others, status, kubectl, own], 'hmsctl')).toEqual({
      fields: { 'f:spec': { 'f:settings': { 'f:country': {} } } },
      managedFields: [others, status, { ...own, fieldsV1: { 'f:spec': all } }],
    });
  });

  it('makes an Apply of what was an Update', () => {
    const kubectl = entry('kubectl-create', 'Update', { 'f:timezone': {} });
    expect(takeOver([kubectl], 'hmsctl')?.managedFields).toEqual([
      { ...kubectl, manager: 'hmsctl', operation: 'Apply' },
    ]);
  });

  it.each([
    ['nobody', []],
    ['other tools', [entry('kubectl-edit', 'Update', { 'f:x': {} }), entry('hmsctl', 'Update', { 'f:y': {} })]],
  ])('leaves the fields of %s', (_, managedFields) => {
    expect(takeOver(managedFields, 'hmsctl')).toBeUndefined();
  });
});

describe('withRemovals', () => {
  it('removes what the manifest no longer has, and replaces lists whole', () => {
    const fields = {
      'f:metadata': { 'f:labels': { '.': {}, 'f:team': {}, 'f:site': {} } },
      'f:spec': { 'f:hosts': { 'v:"a.example"': {} }, 'f:settings': { 'f:country': {} }, 'f:timezone': {} },
    };
    const manifest = { metadata: { name: 'st-mary', labels: { site: 'north' } }, spec: { hosts: [], timezone: 'UTC' } };
    expect(withRemovals(manifest, fields)).toEqual({
      metadata: { name: 'st-mary', labels: { site: 'north', team: null } },
      spec: { hosts: [], settings: null, timezone: 'UTC' },
    });
  });
});
