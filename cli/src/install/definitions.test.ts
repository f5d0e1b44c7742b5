import { describe, expect, it } from '@jest/globals';
import { judgeOperators, judgeOwner } from './definitions.ts';

const own = { namespace: 'care', release: 'blue' };
const of = (name: string, namespace: string) => ({
  metadata: { annotations: { 'meta.helm.sh/release-name': name, 'meta.helm.sh/release-namespace': namespace } },
});

describe('definitions that exist before an install', () => {
  it('belong to the same release, otherwise the owner and the remedy are reported', () => {
    expect(judgeOwner(own, of('blue', 'care'))).toBeUndefined();
    expect(judgeOwner(own, of('hms', 'care'))).toMatch(
      /release hms in namespace care, .*-n care --release hms\..*--take/,
    );
    expect(judgeOwner(own, of('blue', 'other'))).toMatch(/release blue in namespace other/);
    expect(judgeOwner(own, { metadata: {} })).toMatch(/without Helm: .*--take-ownership/);
  });
});

describe('operators that run before an install', () => {
  const operator = (name: string, namespace: string, replicas?: number) => ({
    metadata: { name: 'o', namespace, labels: { 'app.kubernetes.io/instance': name } },
    spec: {
      ...(replicas === undefined ? {} : { replicas }),
      ...{ selector: { matchLabels: {} }, template: { metadata: {}, spec: { containers: [] } } },
    },
  });

  it('belong to the same release or are scaled to zero, otherwise they are reported', () => {
    expect(judgeOperators(own, [])).toBeUndefined();
    expect(judgeOperators(own, [operator('blue', 'care'), operator('green', 'care', 0)])).toBeUndefined();
    expect(judgeOperators(own, [operator('blue', 'care'), operator('blue', 'other', 2)])).toMatch(
      /^release blue in namespace other runs an operator, .*-n other --release blue/,
    );
    expect(judgeOperators(own, [operator('green', 'care')])).toMatch(/^release green in namespace care/);
  });
});
