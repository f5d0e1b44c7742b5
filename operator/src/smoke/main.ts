/** `smoke`: brings a hospital of its own to life, works in it as a user, and deletes it. Ends with 0 when all went well. */
import { KubeConfig } from '@kubernetes/client-node';
import { askedToEnd } from '../signals.ts';
import { readSmokeConfig, smoke } from './smoke.ts';

const asked = askedToEnd();

try {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromDefault();
  await smoke(readSmokeConfig(process.env), kubeConfig, (line) => process.stdout.write(`${line}\n`), asked);
} catch (error) {
  process.stderr.write(`${Error.isError(error) ? error.message : error}\n`);
  process.exitCode = 1;
}
