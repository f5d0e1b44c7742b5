/** Strict validation of objects by the API server. Nothing is stored. */
import path from 'node:path';
import { PATCH } from '@hms/kubernetes';
import { apply, readManifests, waitEstablished } from '@hms/local';
import { HttpMethod, KubeConfig, RequestContext } from '@kubernetes/client-node';
import { fetch } from 'undici';
import { platform } from '../platform.ts';
import type { Rendered } from './helm.ts';

const DEFINITIONS = path.join(import.meta.dirname, 'definitions-of-others.yaml');

/** A namespace that enforces the restricted level of Pod Security. */
export const RESTRICTED = 'chart-restricted';

/** Creates the restricted namespace, and the definitions of the Prometheus operator and the Gateway API. */
export async function prepareServer(): Promise<void> {
  const config = kubeConfig();
  const definitions = readManifests(DEFINITIONS);
  await apply(config, definitions);
  await waitEstablished(config, definitions, AbortSignal.timeout(30_000));
  const labels = Object.fromEntries(
    ['enforce', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']),
  );
  await apply(config, [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: RESTRICTED, labels } },
    // A controller creates it in real clusters. A pod without an account is refused.
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: RESTRICTED } },
  ]);
}

/**
 * Server-side apply as a dry run, which refuses unknown and duplicate fields.
 * @returns the errors and warnings of the server.
 */
export async function complaints(object: Rendered): Promise<string[]> {
  const { apiVersion, kind, metadata } = object;
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const known = await resources(group);
  const resource = known.find((each) => each.kind === kind && !each.name.includes('/'));
  if (!resource) return [`the API server knows no ${kind} in ${apiVersion}`];
  const namespace = resource.namespaced ? `/namespaces/${metadata.namespace ?? RESTRICTED}` : '';
  const query = 'dryRun=All&fieldValidation=Strict&fieldManager=chart-test&force=true';
  const answer = await request(`${group}${namespace}/${resource.name}/${metadata.name}?${query}`, object);
  const warnings = (answer.headers.get('warning') ?? '').split(/, (?=\d{3} )/).filter(Boolean);
  const { message } = answer.ok ? { message: undefined } : ((await answer.json()) as { message?: string });
  return [...(answer.ok ? [] : [`${answer.status}: ${message}`]), ...warnings];
}

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

const groups = new Map<string, Promise<readonly Resource[]>>();

function resources(group: string): Promise<readonly Resource[]> {
  const known = groups.get(group) ?? request(group).then(listed);
  groups.set(group, known);
  return known;
}

async function listed(answer: Awaited<ReturnType<typeof request>>): Promise<readonly Resource[]> {
  if (answer.status === 404) return [];
  if (!answer.ok) throw new Error(`the API server does not say what it serves: ${await answer.text()}`);
  const { resources: all } = (await answer.json()) as { resources: readonly Resource[] };
  return all;
}

async function request(pathAndQuery: string, body?: unknown) {
  const config = kubeConfig();
  const url = `${config.getCurrentCluster()?.server}${pathAndQuery}`;
  const context = new RequestContext(url, HttpMethod.GET);
  await config.applySecurityAuthentication(context);
  const dispatcher = context.getDispatcher();
  return fetch(url, {
    method: body === undefined ? 'GET' : 'PATCH',
    headers: {
      ...context.getHeaders(),
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': PATCH.apply }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(dispatcher ? { dispatcher } : {}),
  });
}

function kubeConfig(): KubeConfig {
  const config = new KubeConfig();
  config.loadFromFile(platform().kubeconfig);
  return config;
}

/** Removes a pod's account: a dry run does not store it, and a pod with a missing account is refused. */
export function withoutAccount(object: Rendered): Rendered {
  if (object.kind !== 'Pod') return object;
  const { serviceAccountName: _, ...spec } = object.spec ?? {};
  return { ...object, spec };
}
