/** Whether the operator has all that it needs. Reads only: nothing is written in any engine. */
import type { KubeConfig } from '@kubernetes/client-node';
import type { Config } from '../config.ts';
import { type Finding, failed, reason } from './finding.ts';
import { checkKeycloak } from './keycloak.ts';
import { checkKubernetes } from './kubernetes.ts';
import { checkAdmin, checkKeys, checkMail, checkProxy } from './others.ts';
import { checkPostgres } from './postgres.ts';
import { type Address, addressOf, reach } from './reach.ts';
import { checkS3 } from './s3.ts';

/** @returns what was found of each engine, one engine after the other; they are asked side by side. */
export async function examine(config: Config, kubeConfig: KubeConfig): Promise<Finding[]> {
  const apiServer = kubeConfig.getCurrentCluster()?.server ?? '';
  const smtp = { host: config.SMTP_HOST, port: config.SMTP_PORT };
  const all: readonly Promise<Finding[]>[] = [
    // its certificate is judged by the kubeconfig's own authority when it is asked
    look('kubernetes', { ...addressOf(apiServer), tls: undefined }, () =>
      checkKubernetes(kubeConfig, config.LEASE_NAMESPACE),
    ),
    look('postgres', addressOf(config.DATABASE_URL), () => checkPostgres(config.DATABASE_URL)),
    look('keycloak', addressOf(config.KEYCLOAK_URL), () => checkKeycloak(config)),
    look('s3', addressOf(config.S3_ENDPOINT), () => checkS3(config)),
    look('smtp', smtp, () => checkMail(config)),
    look('gateway admin', addressOf(config.KONG_ADMIN_URL), () => checkAdmin(config)),
    look('gateway', addressOf(config.KONG_PROXY_URL), () => checkProxy(config)),
    checkKeys(config),
  ];
  return (await Promise.all(all)).flat();
}

async function look(
  engine: string,
  { tls, ...rest }: Omit<Address, 'tls'> & { readonly tls?: Address['tls'] | undefined },
  ask: () => Promise<Finding[]>,
): Promise<Finding[]> {
  const { findings, reached } = await reach(engine, { ...rest, ...(tls ? { tls } : {}) });
  if (!reached) return findings;
  try {
    return [...findings, ...(await ask())];
  } catch (error) {
    const remedy =
      'it takes connections and does not answer as it should: is it the right address, and what does its log say?';
    return [...findings, failed(engine, reason(error), remedy)];
  }
}
