/** Uses the platform like a hospital: creates one, logs in, works with a patient, deletes it. */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { apiClient, dataOf, tokensIn } from '@hms/api-client';
import { applyManifest, KubernetesClient, KubernetesError, PATCH } from '@hms/kubernetes';
import KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import type { KubeConfig } from '@kubernetes/client-node';
import { z } from 'zod';

/** A part of the operator's settings. */
export type SmokeConfig = z.infer<typeof schema>;

const schema = z.object({
  KEYCLOAK_URL: z.url(),
  KEYCLOAK_CLIENT_ID: z.string().default('hms-operator'),
  KEYCLOAK_CLIENT_SECRET: z.string().min(1),
  /** The gateway, as this process reaches it. */
  KONG_PROXY_URL: z.url(),
});

const MANAGER = 'hms-smoke';
const READY_MS = 120_000;
const GONE_MS = 120_000;
const REQUEST_MS = 30_000;

/** @throws Error that names each invalid variable. */
export function readSmokeConfig(env: NodeJS.ProcessEnv): SmokeConfig {
  const result = schema.safeParse(env);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`the environment is not right: ${problems.join('; ')} (docs/configuration.md lists the variables)`);
}

/**
 * Runs all steps with a new hospital, which is always deleted at the end.
 * @param say prints a line for each completed step.
 * @param signal ends the steps early. The hospital is still deleted.
 * @throws Error that names the step that failed and why.
 */
export async function smoke(
  config: SmokeConfig,
  kubeConfig: KubeConfig,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const client = new KubernetesClient(kubeConfig);
  const name = `smoke-${randomBytes(4).toString('hex')}`;
  const step = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const took = () => `${((performance.now() - start) / 1000).toFixed(1)} s`;
    try {
      const result = await work();
      say(`${took().padStart(7)}  ${what}`);
      return result;
    } catch (error) {
      throw new Error(`${what}: failed after ${took()}: ${Error.isError(error) ? error.message : error}`);
    }
  };
  const patience = () => AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]);
  const user = { hospital: name, email: `doctor@${name}.example`, password: randomBytes(18).toString('base64url') };
  try {
    await step(`hospital ${name} is applied`, () => applyHospital(client, name));
    await step('it is Ready', () => untilReady(client, name, signal));
    await step('a user is created in its realm', () => createUser(config, user));
    const token = await step('the user logs in through the gateway', async () => {
      const gateway = apiClient(config.KONG_PROXY_URL);
      return tokensIn(await dataOf(gateway.POST('/api/auth/login', { body: user, signal: patience() }))).accessToken;
    });
    const gateway = apiClient(config.KONG_PROXY_URL, token);
    const patient = { firstName: 'Smoke', lastName: 'Test', phone: '+35312345678', dateOfBirth: '1990-05-17' };
    const { id } = await step('a patient is created', () =>
      dataOf(gateway.POST('/api/hms/patients', { body: patient, signal: patience() })),
    );
    await step('and read again', async () => {
      const read = await dataOf(
        gateway.GET('/api/hms/patients/{id}', { params: { path: { id } }, signal: patience() }),
      );
      if (read.firstName !== patient.firstName) throw new Error(`its first name is ${read.firstName}`);
    });
  } catch (error) {
    await step('the hospital is deleted after the failure', () => remove(client, name)).catch((other: Error) => {
      say(`${other.message}; delete it manually: ${byHand(name)}`);
    });
    throw error;
  }
  await step('the hospital is deleted', () => remove(client, name));
}

async function applyHospital(client: KubernetesClient, name: string): Promise<void> {
  const annotations = { 'hms.dev/confirm-delete': name };
  const spec = { displayName: 'Smoke test', deletionPolicy: 'Delete' };
  const manifest = { apiVersion: 'hms.dev/v1', kind: 'Hospital', metadata: { name, annotations }, spec };
  await applyManifest(client, manifest, MANAGER);
}

interface Hospital {
  readonly metadata: { readonly generation?: number };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
      readonly observedGeneration?: number;
    }[];
  };
}

async function untilReady(client: KubernetesClient, name: string, signal: AbortSignal): Promise<void> {
  let why = 'the operator has not written its status; is an operator running and leading?';
  await until(READY_MS, signal, async () => {
    const { metadata, status } = await client.request<Hospital>('GET', pathOf(name));
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    if (ready) why = `${ready.reason}: ${ready.message}`;
    return ready?.status === 'True' && ready.observedGeneration === metadata.generation;
  }).catch((error: unknown) => {
    throw new Error(`${Error.isError(error) ? error.message : error}; ${why}`);
  });
}

/** Resolves when nothing is left of the hospital. */
async function remove(client: KubernetesClient, name: string): Promise<void> {
  const patience = AbortSignal.timeout(GONE_MS);
  try {
    const body = { spec: { deletionPolicy: 'Delete' }, metadata: { annotations: { 'hms.dev/confirm-delete': name } } };
    await client.request('PATCH', pathOf(name), { contentType: PATCH.merge, query: { fieldManager: MANAGER }, body });
    await client.request('DELETE', pathOf(name));
    await until(GONE_MS, patience, async () => {
      await client.request('GET', pathOf(name));
      return false;
    });
  } catch (error) {
    if (!(error instanceof KubernetesError && error.status === 404)) throw error;
  }
}

/** Uses the operator's client, which administers the realms that it created. */
async function createUser(config: SmokeConfig, user: { hospital: string; email: string; password: string }) {
  const admin = new KeycloakAdminClient({ baseUrl: config.KEYCLOAK_URL, realmName: 'master', timeout: REQUEST_MS });
  await admin.auth({
    grantType: 'client_credentials',
    clientId: config.KEYCLOAK_CLIENT_ID,
    clientSecret: config.KEYCLOAK_CLIENT_SECRET,
  });
  const { hospital: realm, email, password } = user;
  const role = await admin.roles.findOneByName({ realm, name: 'DOCTOR' });
  if (!role?.id || !role.name) throw new Error(`realm ${realm} has no role DOCTOR`);
  const { id } = await admin.users.create({
    realm,
    ...{ username: email, email, emailVerified: true, enabled: true, firstName: 'Smoke', lastName: 'Test' },
    credentials: [{ type: 'password', value: password, temporary: false }],
  });
  await admin.users.addRealmRoleMappings({ realm, id, roles: [{ id: role.id, name: role.name }] });
}

async function until(timeoutMs: number, signal: AbortSignal, holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`timed out after ${timeoutMs / 1000} s`);
    await delay(250, undefined, { signal });
  }
}

function pathOf(name: string): string {
  return `/apis/hms.dev/v1/hospitals/${name}`;
}

function byHand(name: string): string {
  return `kubectl annotate hospital ${name} hms.dev/confirm-delete=${name} --overwrite && kubectl delete hospital ${name}`;
}
