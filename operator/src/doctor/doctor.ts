/** Checks that the operator has everything that it needs. Read-only: nothing is written to any engine. */
import { mailServerOf } from '@hms/mail';
import type { KubeConfig } from '@kubernetes/client-node';
import type { Config } from '../config.ts';
import { type Finding, failed, reason } from './finding.ts';
import { checkKeycloak } from './keycloak.ts';
import { checkKubernetes } from './kubernetes.ts';
import { checkAdmin, checkKeys, checkMail, checkProxy } from './others.ts';
import { checkPostgres } from './postgres.ts';
import { type Address, addressOf, reach } from './reach.ts';
import { checkS3 } from './s3.ts';

/** @returns the findings, ordered by engine. The engines are checked in parallel. */
export async function examine(config: Config, kubeConfig: KubeConfig): Promise<Finding[]> {
  const apiServer = kubeConfig.getCurrentCluster()?.server ?? '';
  const { host, port } = mailServerOf(config);
  const checks: readonly Promise<Finding[]>[] = [
    // Its certificate is verified with the kubeconfig's own authority.
    checkEngine('kubernetes', { ...addressOf(apiServer), tls: undefined }, () =>
      checkKubernetes(kubeConfig, config.LEASE_NAMESPACE),
    ),
    checkEngine('postgres', addressOf(config.DATABASE_URL), () => checkPostgres(config.DATABASE_URL)),
    checkEngine('keycloak', addressOf(config.KEYCLOAK_URL), () => checkKeycloak(config)),
    checkEngine('s3', addressOf(config.S3_ENDPOINT), () => checkS3(config)),
    checkEngine('smtp', { host, port }, () => checkMail(config)),
    checkEngine('gateway admin', addressOf(config.KONG_ADMIN_URL), () => checkAdmin(config)),
    checkEngine('gateway', addressOf(config.KONG_PROXY_URL), () => checkProxy(config)),
    checkKeys(config),
  ];
  return (await Promise.all(checks)).flat();
}

async function checkEngine(
  engine: string,
  { tls, ...address }: Omit<Address, 'tls'> & { readonly tls?: Address['tls'] | undefined },
  ask: () => Promise<Finding[]>,
): Promise<Finding[]> {
  const { findings, reached } = await reach(engine, { ...address, ...(tls ? { tls } : {}) });
  if (!reached) return findings;
  try {
    return [...findings, ...(await ask())];
  } catch (error) {
    const remedy = 'it accepts connections but does not answer as expected: check the address and its log';
    return [...findings, failed(engine, reason(error), remedy)];
  }
}
