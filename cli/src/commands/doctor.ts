/** doctor: checks whether a cluster and its engines meet the platform's requirements. */
import { DATA_DIR, livingState } from '@hms/local';
import { type Finding, warning } from '@hms/operator/doctor';
import type { KubeConfig } from '@kubernetes/client-node';
import { Command } from 'commander';
import { checkCluster, checkRelease, deploymentsOf, type Release } from '../doctor/cluster.ts';
import { checkFromHere, lookFromInside } from '../doctor/inside.ts';
import { checkJobs } from '../doctor/jobs.ts';
import { EXIT, Exit } from '../exit.ts';
import { isOwnPlatform, kubeConfig } from '../kubeconfig.ts';
import { examples, globals, objectName } from '../options.ts';
import { columns, print } from '../output.ts';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('check a cluster, a release in it and its engines, and say what is wrong and how to fix it')
    .option('-n, --namespace <name>', 'namespace of the release', objectName, 'hms')
    .option('--release <name>', 'name of the release', objectName, 'hms')
    .addHelpText('after', examples('hmsctl doctor', 'hmsctl doctor -n hospitals --release hms -o json'))
    .action(async ({ namespace, release }: Release, command: Command) => {
      const { output } = globals(command);
      const findings = await diagnose(kubeConfig(globals(command)), { namespace, release });
      print(findings, output, findingRows);
      const bad = findings.filter(({ status }) => status === 'failed').length;
      if (output === 'table') process.stdout.write(remedies(findings));
      if (bad > 0) throw new Exit(EXIT.failure, `${bad} of ${findings.length} checks failed.`);
    });
}

/** All checks: the cluster, the release, and the engines from where the operator runs. */
async function diagnose(config: KubeConfig, release: Release): Promise<Finding[]> {
  const cluster = await checkCluster(config);
  if (cluster[0]?.status === 'failed') return cluster;
  const state = livingState(DATA_DIR);
  const own = state !== undefined && isOwnPlatform(config);
  const [operator] = own ? [] : await deploymentsOf(config, release, 'operator');
  if (own) return [...cluster, ...(await checkRelease(config, release)), ...(await checkFromHere(state))];
  if (operator) {
    const [outside, inside] = await Promise.all([
      checkRelease(config, release),
      lookFromInside(config, release.namespace, operator),
    ]);
    return [...cluster, ...outside, ...inside];
  }
  const jobs = await checkJobs(config, release);
  if (jobs.length > 0) return [...cluster, ...jobs];
  const observed = `no release ${release.release} in namespace ${release.namespace}`;
  const remedy = 'name it with -n and --release, or install it: hmsctl install -f values.yaml';
  return [...cluster, warning('release', `${observed}; its engines could not be checked`, remedy)];
}

/** Exported for tests. */
export function findingRows(findings: readonly Finding[]): string[][] {
  return [['STATUS', 'CHECK', 'SEEN'], ...findings.map(({ status, name, observed }) => [status, name, observed])];
}

/** The remedies of findings. */
export function remedies(findings: readonly Finding[]): string {
  const rows = findings.flatMap(({ name, remedy }) => (remedy ? [[name, remedy]] : []));
  return rows.length === 0 ? '' : `\n${columns([['WHAT TO DO', ''], ...rows])}\n`;
}
