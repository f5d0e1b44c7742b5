import { describe, expect, it } from '@jest/globals';
import { type Event, type Job, judgeJob, lastLines } from './jobs.ts';
import type { Pod } from './workloads.ts';

const GAVE_UP = { type: 'Failed', status: 'True', reason: 'DeadlineExceeded', message: 'was active longer than 270 s' };
const waiting = (name: string, message: string): Pod => ({
  metadata: { name, namespace: 'hms' },
  status: {
    phase: 'Pending',
    containerStatuses: [{ ready: false, restartCount: 0, state: { waiting: { reason: name, message } } }],
  },
});
const ended: Pod = { metadata: { name: 'hms-migrate-1', namespace: 'hms' }, status: { phase: 'Failed' } };
const running: Pod = {
  metadata: { name: 'hms-migrate-2', namespace: 'hms' },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [{ ready: true, restartCount: 0 }],
  },
};
const of = (name: string, message: string): Event => ({
  type: 'Warning',
  message,
  involvedObject: { kind: 'Pod', name },
});

function judge(conditions: Job['status']['conditions'] = [], observed: Partial<Parameters<typeof judgeJob>[2]> = {}) {
  const job = { metadata: { name: 'hms-migrate' }, status: { conditions } };
  return judgeJob(job, 'hms', { pods: [], events: [], log: '', ...observed });
}

describe('a job that has not succeeded', () => {
  it('reports the end of its log, even if another pod of it is retrying', () => {
    const finding = judge([], { pods: [running, ended], log: 'password authentication failed' });
    expect(finding).toMatchObject({ name: 'job hms-migrate', status: 'failed' });
    expect(finding.observed).toBe('failed, and its log ends with: password authentication failed');
    expect(finding.remedy).toMatch(/run the same command again; all of it: kubectl -n hms logs job\/hms-migrate$/);
  });

  it.each<[Pod, RegExp, RegExp]>([
    [
      waiting('ImagePullBackOff', 'no hms:9'),
      /does not get its image.*no hms:9/,
      /image\.tag.*run the same command again/,
    ],
    [waiting('CreateContainerConfigError', 'secret "x" not found'), /secret "x" not found/, /create the Secret/],
  ])('reports why its pod is not ready: %j', (pod, observed, remedy) => {
    const finding = judge([], { pods: [pod] });
    expect(finding).toMatchObject({ status: 'failed', observed: expect.stringMatching(observed) });
    expect(finding.remedy).toMatch(remedy);
  });

  it('reports the last event of its pod, if it timed out and the pod is deleted', () => {
    const events = [of('hms-migrate-1', 'Error: secret "x" not found'), of('hms-operator-1', 'another')];
    const finding = judge([GAVE_UP], { events });
    expect(finding.observed).toBe('was active longer than 270 s; last event of its pod: Error: secret "x" not found');
    expect(judge([GAVE_UP]).observed).toBe('was active longer than 270 s');
  });

  it('is not a failure while it runs', () => {
    expect(judge([], { pods: [running] })).toMatchObject({ status: 'warning', observed: 'is still running' });
  });
});

describe('the end of a log', () => {
  it('joins its last non-empty lines', () => {
    expect(lastLines('1\n2\n\n3\n4\n  5\n6\n\n')).toBe('2 / 3 / 4 / 5 / 6');
    expect(lastLines('')).toBe('');
    expect(lastLines('x'.repeat(2000))).toHaveLength(600);
  });
});
