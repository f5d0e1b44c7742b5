import { describe, expect, it } from '@jest/globals';
import { judgeOwner } from './definitions.ts';

const own = { namespace: 'care', release: 'blue' };
const of = (name: string, namespace: string) => ({
  metadata: { annotations: { 'meta.helm.sh/release-name': name, 'meta.helm.sh/release-namespace': namespace } },
});

describe('definitions that are there before an install', () => {
  it('are those of the same release, or it is said whose they are and what to do', () => {
    expect(judgeOwner(own, of('blue', 'care'))).toBeUndefined();
    expect(judgeOwner(own, of('hms', 'care'))).toMatch(
      /release hms in namespace care, .*-n care --release hms\..*--take/,
    );
    expect(judgeOwner(own, of('blue', 'other'))).toMatch(/release blue in namespace other/);
    expect(judgeOwner(own, { metadata: {} })).toMatch(/without Helm: .*--take-ownership/);
  });
});
