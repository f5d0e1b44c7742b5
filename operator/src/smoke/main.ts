/** `smoke`: brings a hospital of its own to life, works in it as a user, and deletes it. Ends with 0 when all went well. */
import { KubeConfig } from '@kubernetes/client-node';
import { readSmokeConfig, smoke } from './smoke.ts';

const stopped = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => stopped.abort(new Error(`stopped by ${signal}`)));
}

try {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromDefault();
  await smoke(readSmokeConfig(process.env), kubeConfig, (line) => process.stdout.write(`${line}\n`), stopped.signal);
} catch (error) {
  process.stderr.write(`${Error.isError(error) ? error.message : error}\n`);
  process.exitCode = 1;
}
