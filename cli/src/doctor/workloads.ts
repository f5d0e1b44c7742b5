import { type Finding, failed, ok, warning } from '@hms/operator/doctor';

/** The fields that are used. */
export interface Deployment {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly replicas?: number;
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly template: PodTemplate;
  };
  readonly status: { readonly availableReplicas?: number; readonly updatedReplicas?: number };
}

interface PodTemplate {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly containers: readonly (Readonly<Record<string, unknown>> & { readonly name: string })[];
  };
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly creationTimestamp?: string;
  };
  readonly spec?: { readonly containers: readonly Container[] };
  readonly status: {
    readonly phase?: string;
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly {
      readonly ready: boolean;
      readonly restartCount: number;
      readonly state?: State;
      readonly lastState?: State;
    }[];
  };
}

interface Container {
  readonly name: string;
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  readonly readinessProbe?: { readonly httpGet?: { readonly path: string; readonly port: string | number } };
}

interface State {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly terminated?: { readonly reason?: string; readonly exitCode: number };
}

/**
 * Checks that a Deployment has all its pods, of the latest revision, or reports why one is not ready.
 * It is a warning while enough others serve.
 */
export function judgeDeployment({ metadata, spec, status }: Deployment, pods: readonly Pod[]): Finding {
  const name = `deployment ${metadata.name}`;
  const { availableReplicas: have = 0, updatedReplicas: updated = 0 } = status;
  const want = spec.replicas ?? 1;
  const available = `${have} of ${want} available`;
  const serves = have >= want;
  if (serves && updated >= want) return ok(name, available);
  const observed = serves ? `${available}, and not all have the latest change` : available;
  const judge = serves ? warning : failed;
  const own = pods.filter(({ metadata: { labels = {} } }) =>
    Object.entries(spec.selector.matchLabels).every(([key, value]) => labels[key] === value),
  );
  for (const pod of own) {
    const why = whyNotReady(pod);
    if (why) return judge(name, `${observed}: pod ${pod.metadata.name} ${why.observed}`, why.remedy);
  }
  return judge(name, observed, `kubectl -n ${metadata.namespace} describe deployment ${metadata.name}`);
}

/** @returns undefined for a ready pod. */
export function whyNotReady({ metadata, spec, status }: Pod): { observed: string; remedy: string } | undefined {
  const kubectl = `kubectl -n ${metadata.namespace}`;
  const scheduled = status.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') {
    const remedy = 'add capacity to the cluster, or change resources, nodeSelector or tolerations';
    return { observed: `has no node: ${scheduled.message ?? scheduled.reason}`, remedy };
  }
  for (const { ready, restartCount, state = {}, lastState = {} } of status.containerStatuses ?? []) {
    if (ready) continue;
    const { reason = '', message = '' } = state.waiting ?? {};
    if (/^(ErrImagePull|ImagePullBackOff|InvalidImageName|ErrImageNeverPull)$/.test(reason)) {
      const remedy = 'check image.repository, image.tag and image.pullSecrets (of Kong gateway.kong.image)';
      return { observed: `does not get its image (${reason}): ${message}`, remedy };
    }
    if (reason === 'CreateContainerConfigError')
      return { observed: `can't be created: ${message}`, remedy: 'create the Secret with the key that it names' };
    const last = state.terminated ?? lastState.terminated;
    if (last) {
      const how = last.reason === 'OOMKilled' ? 'needed more memory than its limit' : `ended with ${last.exitCode}`;
      const remedy = `${kubectl} logs ${metadata.name}${state.terminated ? '' : ' --previous'} says why`;
      return { observed: `was started ${restartCount + 1} times; it ${how} (${last.reason ?? 'no reason'})`, remedy };
    }
    if (reason === 'ContainerCreating') {
      const remedy = `if that persists, ${kubectl} describe pod ${metadata.name} says why: often a Secret or ConfigMap for a volume is missing`;
      return { observed: 'is being created', remedy };
    }
    if (reason && reason !== 'PodInitializing')
      return { observed: `waits: ${reason} ${message}`.trim(), remedy: `${kubectl} describe pod ${metadata.name}` };
    const remedy = `it reports what it waits for: ${kubectl} exec ${metadata.name} -- ${question(spec?.containers[0])}`;
    return { observed: 'runs but is not ready', remedy };
  }
  if (status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True')) return undefined;
  return { observed: `is ${status.phase ?? 'new'}`, remedy: `${kubectl} describe pod ${metadata.name}` };
}

/** A command that prints the response to a container's probe, of which the kubelet keeps only the status. */
function question({ name, ports = [], readinessProbe }: Container = { name: '' }): string {
  if (name === 'kong') return 'kong health';
  const { path = '/ready', port } = readinessProbe?.httpGet ?? {};
  const number = ports.find((one) => one.name === port)?.containerPort ?? port ?? 8080;
  return `node -e "fetch('http://127.0.0.1:${number}${path}').then((answer) => answer.text()).then(console.log)"`;
}
