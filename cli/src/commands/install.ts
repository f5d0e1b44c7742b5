/** install: installs the chart in a cluster, after its prerequisites. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { applyManifest, KubernetesClient, KubernetesError } from '@hms/kubernetes';
import { FIELD_MANAGER, PROJECT } from '@hms/local';
import type { Finding } from '@hms/operator/doctor';
import type { KubeConfig } from '@kubernetes/client-node';
import { Command } from 'commander';
import { checkCluster, checkRelease } from '../doctor/cluster.ts';
import { EXIT, Exit } from '../exit.ts';
import { readText } from '../input.ts';
import { otherOperator, ownedByAnother } from '../install/definitions.ts';
import { Helm } from '../install/helm.ts';
import { commandFor, contentOf, madeIn, makeKey, missingOf, referencesIn } from '../install/references.ts';
import { isOwnPlatform, kubeConfig } from '../kubeconfig.ts';
import { collect, examples, globals, objectName } from '../options.ts';
import { columns } from '../output.ts';
import { findingRows, remedies } from './doctor.ts';

interface Options {
  readonly values: readonly string[];
  readonly set: readonly string[];
  readonly namespace: string;
  readonly release: string;
  readonly chart: string;
  readonly timeout: string;
  readonly dryRun?: boolean;
  readonly takeOwnership?: boolean;
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const LARGEST_VALUES = 4 * 1024 * 1024;
const RESTRICTED = { 'pod-security.kubernetes.io/enforce': 'restricted' };

export function installCommand(): Command {
  return new Command('install')
    .description('install or upgrade the platform in a cluster with Helm, after checking the prerequisites')
    .requiredOption(
      '-f, --values <file>',
      'values of the chart, or - for standard input; may be given more than once',
      collect,
      [],
    )
    .option('--set <key=value>', 'one more value; may be given more than once', collect, [])
    .option('-n, --namespace <name>', 'namespace, created if it is missing', objectName, 'hms')
    .option('--release <name>', 'name of the release', objectName, 'hms')
    .option('--chart <folder>', 'the chart', path.join(PROJECT, 'charts', 'hms'))
    .option('--timeout <time>', 'how long Helm waits, such as 5m', '5m')
    .option('--take-ownership', 'adopt definitions of an earlier release, or of no release (Helm 3.17)')
    .option('--dry-run', 'print the planned actions and the objects; change nothing')
    .addHelpText(
      'after',
      examples('hmsctl install -f values.yaml', 'hmsctl install -f values.yaml --set image.tag=0.2.0 --dry-run'),
    )
    .action(async (options: Options, command: Command) => {
      await withValueFiles(options.values, (values) =>
        install(kubeConfig(globals(command)), new Helm(globals(command)), { ...options, values }),
      );
    });
}

/** Helm runs several times, but standard input can be read only once, so it gets a file instead. */
async function withValueFiles<T>(names: readonly string[], work: (files: readonly string[]) => Promise<T>): Promise<T> {
  if (!names.includes('-')) return work(names);
  const text = await readText('-', { what: 'values of the chart in YAML', limit: LARGEST_VALUES });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hmsctl-'));
  const file = path.join(folder, 'values.yaml');
  const remove = () => fs.rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    fs.writeFileSync(file, text, { mode: 0o600 });
    return await work(names.map((name) => (name === '-' ? file : name)));
  } finally {
    process.off('exit', remove);
    remove();
  }
}

async function install(config: KubeConfig, helm: Helm, options: Options): Promise<void> {
  const { namespace, release, chart, dryRun } = options;
  if (isOwnPlatform(config))
    throw new Exit(
      EXIT.usage,
      'this is the API server of the platform on this machine, which runs no pods: name a cluster with --kubeconfig or KUBECONFIG.',
    );
  await helm.check();
  if (!fs.existsSync(chart)) throw new Exit(EXIT.usage, `there is no chart in ${chart}: name its folder with --chart.`);
  const cluster = await checkCluster(config);
  stopAt(['failed'], cluster);
  const version = cluster.find(({ name }) => name === 'cluster version')?.observed ?? '';
  const given = [...options.values.flatMap((file) => ['-f', file]), ...options.set.flatMap((one) => ['--set', one])];
  const where = [release, chart, '-n', namespace, ...given];
  const manifests = await helm.read(['template', ...where, '--kube-version', version]);
  const other = await otherOperator(config, options);
  if (other) throw new Exit(EXIT.failure, other);
  const taken = options.takeOwnership ? undefined : await ownedByAnother(config, options, manifests);
  if (taken) throw new Exit(EXIT.failure, taken);
  const unfinished = await helm.unfinished(release, namespace);
  if (unfinished) throw new Exit(EXIT.failure, unfinished);
  await ensureNamespace(config, namespace, dryRun);
  await ensureReferences(config, namespace, manifests, dryRun);
  const how = dryRun ? ['--dry-run=server'] : ['--wait', '--timeout', options.timeout];
  if (options.takeOwnership) how.push('--take-ownership');
  if (await helm.run(['upgrade', '--install', ...where, ...how])) {
    if (dryRun) return say('Nothing was changed.');
    return say(
      `Installed. Next: helm test ${release} -n ${namespace}; hmsctl doctor -n ${namespace} --release ${release}; hmsctl hospital apply -f crds/samples/st-mary.yaml --wait`,
    );
  }
  if (!dryRun) {
    // A pod that does not start is a warning while the old ones serve, but it is still why Helm failed.
    stopAt(['failed', 'warning'], await checkRelease(config, { namespace, release }, 'fix what Helm reports above'));
  }
  throw new Exit(EXIT.failure, 'Helm failed; its output is above. Fix that and run the same command again.');
}

function stopAt(statuses: readonly Finding['status'][], findings: readonly Finding[]): void {
  const bad = findings.filter(({ status }) => statuses.includes(status));
  if (bad.length === 0) return;
  say(`${columns(findingRows(bad))}\n${remedies(bad)}`);
  throw new Exit(EXIT.failure, `${bad.length} of ${findings.length} checks failed.`);
}

async function ensureNamespace(config: KubeConfig, name: string, dryRun = false): Promise<void> {
  const client = new KubernetesClient(config);
  try {
    const { metadata } = await client.request<{ metadata: { labels?: Record<string, string> } }>(
      'GET',
      `/api/v1/namespaces/${name}`,
    );
    const [[label, level] = ['', '']] = Object.entries(RESTRICTED);
    if (metadata.labels?.[label] !== level)
      say(
        `Namespace ${name} does not enforce the platform's level of Pod Security: kubectl label namespace ${name} ${label}=${level}`,
      );
  } catch (error) {
    if (!(error instanceof KubernetesError && error.status === 404)) throw error;
    say(
      `Namespace ${name} is missing: it ${dryRun ? 'would be' : 'is'} created, at the restricted level of Pod Security.`,
    );
    if (dryRun) return;
    const manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: RESTRICTED } };
    await applyManifest(client, manifest, FIELD_MANAGER);
  }
}

async function ensureReferences(
  config: KubeConfig,
  namespace: string,
  manifests: string,
  dryRun = false,
): Promise<void> {
  const missing = await missingOf(config, namespace, referencesIn(manifests));
  const made = madeIn(manifests);
  const own = missing.filter(({ name, there, keys }) => made.has(name) && !there && keys.length === 1);
  for (const { name, keys } of own) {
    const volume = made.get(name) ?? '';
    say(
      `Secret ${name} is missing: it ${dryRun ? 'would be' : 'is'} created with a new ${contentOf(volume)}. Back it up.`,
    );
    if (!dryRun) await makeKey(config, namespace, { name, key: keys[0] ?? '', volume });
  }
  for (const one of missing.filter(({ later }) => later))
    say(
      `Secret ${one.name}, which the Ingress names, is missing: if cert-manager or similar does not create it, ${commandFor(namespace, one)}`,
    );
  const others = missing.filter((one) => !own.includes(one) && !one.later);
  if (others.length === 0) return;
  say(others.map((one) => `  ${commandFor(namespace, one)}`).join('\n'));
  throw new Exit(
    EXIT.failure,
    'Objects that the values name are missing: create them with the commands above and run the same command again.',
  );
}
