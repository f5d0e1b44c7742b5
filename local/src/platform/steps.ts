/** All steps of the platform. */
import type { AnyStep } from '../process/spec.ts';
import { keycloakSteps } from './keycloak.ts';
import { kubernetesSteps } from './kubernetes.ts';
import { mailStep } from './mail.ts';
import { moduleSteps } from './modules.ts';
import type { Platform } from './options.ts';
import { postgresSteps } from './postgres.ts';
import { s3Steps } from './s3.ts';

export function stepsOf(platform: Platform): AnyStep[] {
  const steps = [
    ...postgresSteps(platform),
    ...keycloakSteps(platform),
    ...kubernetesSteps(platform),
    ...s3Steps(platform),
    mailStep(platform),
    ...moduleSteps(platform),
  ];
  return platform.only ? withNeeds(steps, platform.only) : steps;
}

/** The named steps and their transitive dependencies. */
function withNeeds(steps: readonly AnyStep[], names: readonly string[]): AnyStep[] {
  const wanted = new Set(names);
  for (const name of wanted) {
    for (const needed of steps.find((step) => step.name === name)?.after ?? []) wanted.add(needed);
  }
  return steps.filter((step) => wanted.has(step.name));
}
