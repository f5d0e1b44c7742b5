/** Checks that the operator has everything that it needs. Read-only: nothing is written to any engine. */
import { mailServerOf } from '@hms/mail';
import type { KubeConfig } from '@kubernetes/client-node';
import { BACKENDS } from '../backends/all.ts';
import type { Config } from '../config.ts';
import { type Finding, failed, reason } from './finding.ts';
import { checkKubernetes } from './kubernetes.ts';
import { checkKeys, checkMail } from './others.ts';
import { addressOf, type EngineCheck, reach } from './reach.ts';

/** @returns the findings, ordered by engine. The engines are checked in parallel. */
export async function examine(config: Config, kubeConfig: KubeConfig): Promise<Finding[]> {
  const checks: readonly EngineCheck[] = [
    {
      engine: 'kubernetes',
      address: () => {
        // Its certificate is verified with the kubeconfig's own authority.
        const { host, port } = addressOf(kubeConfig.getCurrentCluster()?.server ?? '');
        return { host, port };
      },
      ask: () => checkKubernetes(kubeConfig, config.LEASE_NAMESPACE),
    },
    ...BACKENDS.flatMap((backend) => backend.checks),
    {
      engine: 'smtp',
      address: (own) => {
        const { host, port } = mailServerOf(own);
        return { host, port };
      },
      ask: checkMail,
    },
  ];
  const findings = await Promise.all([...checks.map((check) => checkEngine(check, config)), checkKeys(config)]);
  return findings.flat();
}

async function checkEngine({ engine, address, ask }: EngineCheck, config: Config): Promise<Finding[]> {
  const { findings, reached } = await reach(engine, address(config));
  if (!reached) return findings;
  try {
    return [...findings, ...(await ask(config))];
  } catch (error) {
    const remedy = 'it accepts connections but does not answer as expected: check the address and its log';
    return [...findings, failed(engine, reason(error), remedy)];
  }
}
