/**
 * `doctor [-o table|json]`: looks at everything that the operator needs, with the operator's own environment and
 * account, and says what to remedy. Ends with 0 when nothing has failed.
 */
import { parseArgs } from 'node:util';
import { KubeConfig } from '@kubernetes/client-node';
import { readConfig } from '../config.ts';
import { endWhenAsked } from '../signals.ts';
import { examine } from './doctor.ts';
import { type Finding, failed, reason } from './finding.ts';

endWhenAsked();
const { values } = parseArgs({ options: { output: { type: 'string', short: 'o', default: 'table' } } });
const findings = await look();
if (values.output === 'json') process.stdout.write(`${JSON.stringify(findings)}\n`);
else process.stdout.write(findings.map(line).join(''));
process.exit(findings.some(({ status }) => status === 'failed') ? 1 : 0);

async function look(): Promise<Finding[]> {
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
