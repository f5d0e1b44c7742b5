/** `smoke`: creates a hospital, uses it as a user, and deletes it. Ends with 0 if every step succeeds. */
import { KubeConfig } from '@kubernetes/client-node';
import { stopSignal } from '../signals.ts';
import { readSmokeConfig, smoke } from './smoke.ts';

const signal = stopSignal();

try {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromDefault();
  await smoke(readSmokeConfig(process.env), kubeConfig, (line) => process.stdout.write(`${line}\n`), signal);
} catch (error) {
  process.stderr.write(`${Error.isError(error) ? error.message : error}\n`);
  process.exitCode = 1;
}
