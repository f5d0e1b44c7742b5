/** orphans list, finish. */
import { PATCH } from '@hms/kubernetes';
import { FIELD_MANAGER, poll } from '@hms/local';
import { Command, Option } from 'commander';
import { Cluster } from '../cluster.ts';
import { EXIT, Exit } from '../exit.ts';
import { kubeConfig } from '../kubeconfig.ts';
import { examples, globals, hospitalPrefix, milliseconds } from '../options.ts';
import { age, print } from '../output.ts';

/** What remains of a force-deleted hospital. */
interface Orphan {
  readonly metadata: { readonly name: string; readonly creationTimestamp?: string };
  readonly spec: { readonly ownerUid: string; readonly hospitalId?: string; readonly deletionPolicy: string };
  readonly status?: {
    readonly message?: string;
    readonly teardown?: readonly { readonly backend: string; readonly done: boolean }[];
  };
}

const PATH = '/apis/hms.dev/v1/orphans';

export function orphansCommand(): Command {
  const orphans = new Command('orphans')
    .alias('orphan')
    .description('parts that remain of force-deleted hospitals (annotation hms.dev/force-finalize)')
    .addHelpText('after', examples('hmsctl orphans list', 'hmsctl orphans finish trial-clinic'));
  for (const command of [listCommand(), finishCommand()]) orphans.addCommand(command);
  return orphans;
}

function listCommand(): Command {
  return new Command('list')
    .description('show what remains, and where')
    .addHelpText('after', examples('hmsctl orphans list', 'hmsctl orphans list -o json'))
    .action(async (_options, command: Command) => {
      const { output } = globals(command);
      print(await list(new Cluster(kubeConfig(globals(command)))), output, orphanRows);
    });
}

function finishCommand(): Command {
  return new Command('finish')
    .description('make the operator retry now, and wait until the rest is removed; it also retries automatically')
    .argument('<prefix>', 'prefix of the force-deleted hospital', hospitalPrefix)
    .addOption(
      new Option('--timeout <time>', 'how long to wait, such as 90s or 5m')
        .argParser(milliseconds)
        .default(120_000, '2m'),
    )
    .addHelpText('after', examples('hmsctl orphans finish trial-clinic'))
    .action(async (prefix: string, { timeout }: { timeout: number }, command: Command) => {
      const cluster = new Cluster(kubeConfig(globals(command)));
      await requestNow(cluster, prefix);
      let latest: Orphan | undefined;
      const finished = await poll(
        async () => {
          latest = (await list(cluster)).find(({ metadata }) => metadata.name === prefix);
          return latest === undefined || undefined;
        },
        { timeout, interval: 200 },
      );
      if (!finished) {
        throw new Exit(
          EXIT.timeout,
          `the rest of ${prefix} is not removed in time; the operator keeps trying: ${latest?.status?.message ?? 'the operator has not processed it yet, is it running?'}`,
        );
      }
      // Other owners' objects remain, and with Retain the data. The operator's event has the result.
      console.log(
        `the rest of ${prefix} is handled; kubectl get events -n default --field-selector involvedObject.name=${prefix},reason=OrphanFinished says how`,
      );
    });
}

async function list(cluster: Cluster): Promise<readonly Orphan[]> {
  const { items } = await cluster.ask((client) => client.request<{ items: Orphan[] }>('GET', PATH));
  return items;
}

async function requestNow(cluster: Cluster, prefix: string): Promise<void> {
  const body = { metadata: { annotations: { 'hms.dev/reconcile-requested-at': new Date().toISOString() } } };
  const query = { fieldManager: FIELD_MANAGER };
  try {
    await cluster.ask((client) =>
      client.request('PATCH', `${PATH}/${prefix}`, { query, contentType: PATCH.merge, body }),
    );
  } catch (error) {
    if (!(error instanceof Exit && error.code === EXIT.notFound)) throw error;
    throw new Exit(EXIT.notFound, `there is no orphan ${prefix}: hmsctl orphans list shows all.`);
  }
}

/** Exported for tests. */
function orphanRows(orphans: readonly Orphan[]): string[][] {
  return [
    ['PREFIX', 'POLICY', 'LEFT IN', 'HOSPITAL-ID', 'AGE', 'MESSAGE'],
    ...orphans.map(({ metadata, spec, status }) => {
      const unfinished = status?.teardown?.filter(({ done }) => !done).map(({ backend }) => backend) ?? [];
      return [
        metadata.name,
        spec.deletionPolicy,
        unfinished.join(', ') || '-',
        spec.hospitalId ?? '-',
        age(metadata.creationTimestamp),
        status?.message ?? '-',
      ];
    }),
  ];
}
