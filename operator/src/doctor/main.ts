/**
 * `doctor [-o table|json]`: checks everything that the operator needs, with the operator's own environment and
 * account, and prints remedies. Ends with 0 if nothing has failed.
 */
import { parseArgs } from 'node:util';
import { KubeConfig } from '@kubernetes/client-node';
import { readConfig } from '../config.ts';
import { exitOnSignal } from '../signals.ts';
import { examine } from './doctor.ts';
import { type Finding, failed, reason } from './finding.ts';

exitOnSignal();
const { values } = parseArgs({ options: { output: { type: 'string', short: 'o', default: 'table' } } });
const findings = await runChecks();
if (values.output === 'json') process.stdout.write(`${JSON.stringify(findings)}\n`);
else process.stdout.write(findings.map(line).join(''));
process.exit(findings.some(({ status }) => status === 'failed') ? 1 : 0);

async function runChecks(): Promise<Finding[]> {
  try {
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromDefault();
    return await examine(readConfig(process.env), kubeConfig);
  } catch (error) {
    return [failed('settings', reason(error), 'set them as docs/configuration.md says')];
  }
}

function line({ status, name, observed, remedy }: Finding): string {
  return `${status.padEnd(8)}${name}: ${observed}\n${remedy ? `${' '.repeat(8)}→ ${remedy}\n` : ''}`;
}
