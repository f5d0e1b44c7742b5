import { describe, expect, it } from '@jest/globals';
import { findingRows, remedies } from '../commands/doctor.ts';
import { doctorJob, findingsIn } from './inside.ts';
import { type Deployment, judgeDeployment, type Pod } from './workloads.ts';

const LABELS = { 'app.kubernetes.io/instance': 'hms', 'app.kubernetes.io/component': 'operator' };

function deployment(available: number, updated = available): Deployment {
  return {
    metadata: { name: 'hms-operator', namespace: 'care' },
    spec: {
      replicas: 2,
      selector: { matchLabels: LABELS },
      template: {
        metadata: { labels: LABELS },
        spec: {
          containers: [
            {
              name: 'operator',
              image: 'hms:1',
              args: ['operator'],
              env: [{ name: 'A', value: 'b' }],
              livenessProbe: {},
            },
          ],
        },
      },
    },
    status: { availableReplicas: available, updatedReplicas: updated },
  };
}

function pod(status: Pod['status'], labels: Record<string, string> = LABELS): Pod {
  const container = {
    name: 'operator',
    ports: [{ name: 'metrics', containerPort: 18080 }],
    readinessProbe: { httpGet: { path: '/ready', port: 'metrics' } },
  };
  const metadata = { name: 'hms-operator-1', namespace: 'care', labels };
  return { metadata, spec: { containers: [container] }, status };
}

const NOT_READY = { ready: false, restartCount: 0 };

describe('a deployment', () => {
  it('is ok if all its pods are available', () => {
    expect(judgeDeployment(deployment(2), [])).toEqual({
      ...{ name: 'deployment hms-operator', status: 'ok', observed: '2 of 2 available' },
    });
  });

  it('is a warning while old pods serve and a new one does not start', () => {
    const state = { waiting: { reason: 'ErrImagePull', message: 'no hms:9' } };
    const finding = judgeDeployment(deployment(2, 1), [pod({ containerStatuses: [{ ...NOT_READY, state }] })]);
    expect(finding).toMatchObject({ status: 'warning', remedy: expect.stringMatching(/image\.tag/) });
    expect(finding.observed).toMatch(/^2 of 2 available, and not all have the latest change: pod hms-operator-1 /);
  });

  it.each<[string, Pod['status'], RegExp, RegExp]>([
    [
      'a missing image',
      {
        containerStatuses: [{ ...NOT_READY, state: { waiting: { reason: 'ImagePullBackOff', message: 'no hms:9' } } }],
      },
      /does not get its image \(ImagePullBackOff\): no hms:9/,
      /image\.tag/,
    ],
    [
      'a crash',
      {
        containerStatuses: [
          {
            ...{ ready: false, restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } } },
            lastState: { terminated: { reason: 'Error', exitCode: 1 } },
          },
        ],
      },
      /was started 4 times; it ended with 1 \(Error\)/,
      /kubectl -n care logs hms-operator-1 --previous/,
    ],
    [
      'too little memory',
      {
        containerStatuses: [
          { ...NOT_READY, restartCount: 1, lastState: { terminated: { reason: 'OOMKilled', exitCode: 137 } } },
        ],
      },
      /more memory than its limit/,
      /logs/,
    ],
    [
      'no room',
      { conditions: [{ type: 'PodScheduled', status: 'False', message: '0/1 nodes: Insufficient cpu' }] },
      /has no node: 0\/1 nodes/,
      /resources/,
    ],
    [
      'a missing secret',
      {
        containerStatuses: [
          {
            ...NOT_READY,
            state: { waiting: { reason: 'CreateContainerConfigError', message: 'secret "x" not found' } },
          },
        ],
      },
      /secret "x" not found/,
      /create the Secret/,
    ],
    [
      'a missing volume',
      { containerStatuses: [{ ...NOT_READY, state: { waiting: { reason: 'ContainerCreating' } } }] },
      /is being created$/,
      /kubectl -n care describe pod hms-operator-1 says why/,
    ],
    [
      'a recent end',
      { containerStatuses: [{ ...NOT_READY, state: { terminated: { reason: 'Error', exitCode: 1 } } }] },
      /was started 1 times; it ended with 1/,
      /^kubectl -n care logs hms-operator-1 says why$/,
    ],
    [
      'a probe that fails',
      { containerStatuses: [NOT_READY] },
      /runs but is not ready/,
      /: kubectl -n care exec hms-operator-1 -- node -e "fetch\('http:\/\/127.0.0.1:18080\/ready'\)/,
    ],
  ])('reports why a pod is not ready: %s', (_what, status, observed, remedy) => {
    const other = pod(
      { conditions: [{ type: 'PodScheduled', status: 'False', message: 'of another' }] },
      { 'app.kubernetes.io/component': 'hms' },
    );
    const finding = judgeDeployment(deployment(1), [other, pod(status)]);
    expect(finding).toMatchObject({ status: 'failed', observed: expect.stringMatching(observed) });
    expect(finding.observed).toMatch(/^1 of 2 available: pod hms-operator-1 /);
    expect(finding.remedy).toMatch(remedy);
  });
});

describe('the Job of the doctor', () => {
  it('is the pod of the operator with other arguments, which no Service selects', () => {
    const job = doctorJob(deployment(2), 'abc');
    expect(job.metadata.name).toBe('hms-operator-doctor-abc');
    expect(job.spec.template.metadata.labels).toMatchObject({ 'app.kubernetes.io/component': 'doctor' });
    expect(job.spec.template.spec.containers).toEqual([
      { name: 'operator', image: 'hms:1', args: ['doctor', '-o', 'json'], env: [{ name: 'A', value: 'b' }] },
    ]);
  });
});

describe('the output of the doctor', () => {
  const findings = [
    { name: 's3 bucket', status: 'ok' as const, observed: 'hms exists' },
    { name: 'smtp TCP', status: 'failed' as const, observed: 'refused', remedy: 'start it' },
  ];

  it('is its last line, because a warning may precede it', () => {
    expect(findingsIn(`(node:1) Warning: x\n${JSON.stringify(findings)}\n`)).toEqual(findings);
  });

  it('that is not JSON is a finding', () => {
    expect(findingsIn('"doctor" is no process of this image')).toMatchObject([
      { status: 'failed', observed: '"doctor" is no process of this image' },
    ]);
  });

  it('is a table, followed by the remedies', () => {
    expect(findingRows(findings)[2]).toEqual(['failed', 'smtp TCP', 'refused']);
    expect(remedies(findings)).toMatch(/^\nWHAT TO DO\nsmtp TCP +start it\n$/);
    expect(remedies([])).toBe('');
  });
});
