/** hospital apply, get, list, delete. */
import fs from 'node:fs';
import { codeOf, conditionLine, conditionsOf, isDone, type Manifest, Problem, parseManifests, poll } from '@hms/local';
import { Command, Option } from 'commander';
import { EXIT, Exit } from '../exit.ts';
import { conditionStatus, type Hospital, Hospitals } from '../hospitals.ts';
import { kubeConfig } from '../kubeconfig.ts';
import { examples, globals, milliseconds } from '../options.ts';
import { age, print } from '../output.ts';

interface Waiting {
  readonly wait?: boolean;
  /** Milliseconds. */
  readonly timeout: number;
}

export function hospitalCommand(): Command {
  const hospital = new Command('hospital').alias('hospitals').description('hospitals of a cluster');
  for (const command of [applyCommand(), getCommand(), listCommand(), deleteCommand()]) hospital.addCommand(command);
  return hospital;
}

function waitOptions(command: Command): Command {
  return command
    .option('--wait', 'wait until it is done')
    .addOption(
      new Option('--timeout <time>', 'how long to wait, like 90s or 5m').argParser(milliseconds).default(120_000, '2m'),
    );
}

function applyCommand(): Command {
  return waitOptions(new Command('apply').description('create hospitals, or change them to what a manifest says'))
    .requiredOption('-f, --filename <file>', 'manifest; - reads from standard input')
    .addHelpText(
      'after',
      examples(
        'hmsctl hospital apply -f crds/samples/city-general.yaml --wait',
        'cat st-mary.yaml | hmsctl hospital apply -f -',
      ),
    )
    .action(async ({ filename, wait, timeout }: Waiting & { filename: string }, command: Command) => {
      const manifests = hospitalsIn(filename);
      const hospitals = new Hospitals(kubeConfig(globals(command).kubeconfig));
      const applied: Hospital[] = [];
      for (const manifest of manifests) {
        const before = await hospitals.find(manifest.metadata.name);
        const after = await hospitals.apply(manifest);
        applied.push(after);
        process.stderr.write(`hospital ${after.metadata.name} ${changeOf(before, after)}\n`);
      }
      const ready = wait
        ? await Promise.all(applied.map((hospital) => waitReady(hospitals, hospital, timeout)))
        : applied;
      const { output } = globals(command);
      if (wait || output !== 'table') print(ready.length === 1 ? ready[0] : ready, output, () => rows(ready));
    });
}

function changeOf(before: Hospital | undefined, after: Hospital): string {
  if (!before) return 'created';
  return before.metadata.resourceVersion === after.metadata.resourceVersion ? 'unchanged' : 'changed';
}

/** Exported for tests. @param filename `-` is standard input. */
export function hospitalsIn(filename: string): Manifest[] {
  let text: string;
  try {
    text = fs.readFileSync(filename === '-' ? 0 : filename, 'utf8');
  } catch (error) {
    throw new Exit(EXIT.usage, `${filename} can't be read (${codeOf(error) ?? error}): name a manifest with -f.`);
  }
  const source = filename === '-' ? 'standard input' : filename;
  const manifests = parseManifests(text, source);
  if (manifests.length === 0) throw new Problem(`${source} holds no hospital: see crds/samples for one.`);
  for (const { apiVersion, kind, metadata } of manifests) {
    if (kind !== 'Hospital' || apiVersion !== 'hms.dev/v1') {
      throw new Problem(
        `${source} holds ${kind} ${metadata.name} (${apiVersion}); hmsctl applies Hospitals of hms.dev/v1 only: use kubectl for others.`,
      );
    }
  }
  return manifests;
}

async function waitReady(hospitals: Hospitals, applied: Hospital, timeout: number): Promise<Hospital> {
  const name = applied.metadata.name;
  let latest = applied;
  const ready = await poll(
    async () => {
      latest = await hospitals.get(name);
      return isDone(latest) || undefined;
    },
    { timeout, interval: 200 },
  );
  if (ready) return latest;
  const said = conditionsOf(latest).map(conditionLine);
  throw new Exit(
    EXIT.timeout,
    [`hospital ${name} is not Ready in time; it goes on trying. Its conditions:`, ...said].join('\n'),
  );
}

function getCommand(): Command {
  return new Command('get')
    .description('show one hospital')
    .argument('<prefix>', 'prefix, which is the name of the object')
    .addHelpText('after', examples('hmsctl hospital get st-mary', 'hmsctl hospital get st-mary -o yaml'))
    .action(async (prefix: string, _options, command: Command) => {
      const { output, kubeconfig } = globals(command);
      const hospital = await new Hospitals(kubeConfig(kubeconfig)).get(prefix);
      print(hospital, output, (one) => rows([one]));
      if (output !== 'table') return;
      for (const condition of conditionsOf(hospital)) console.log(conditionLine(condition).trimStart());
    });
}

function listCommand(): Command {
  return new Command('list')
    .description('show all hospitals')
    .addHelpText('after', examples('hmsctl hospital list', 'hmsctl hospital list -o json'))
    .action(async (_options, command: Command) => {
      const { output, kubeconfig } = globals(command);
      print(await new Hospitals(kubeConfig(kubeconfig)).list(), output, rows);
    });
}

function rows(hospitals: readonly Hospital[]): string[][] {
  const heading = ['PREFIX', 'READY', 'PHASE', 'STATE', 'IDENTITY', 'STORAGE', 'GATEWAY', 'DATABASE', 'SCHEMA', 'AGE'];
  return [
    heading,
    ...hospitals.map((hospital) => [
      hospital.metadata.name,
      conditionStatus(hospital, 'Ready'),
      hospital.status?.phase ?? '-',
      hospital.spec.state ?? '-',
      ...['IdentityReady', 'StorageReady', 'GatewayReady', 'DatabaseReady'].map((type) =>
        conditionStatus(hospital, type),
      ),
      String(hospital.status?.schemaVersion ?? '-'),
      age(hospital.metadata.creationTimestamp),
    ]),
  ];
}

function deleteCommand(): Command {
  return waitOptions(
    new Command('delete').description(
      'delete a hospital: with deletionPolicy Retain its data stays, with Delete it goes',
    ),
  )
    .argument('<prefix>', 'prefix, which is the name of the object')
    .option('--confirm', 'needed where deletionPolicy is Delete: all its data, files and accounts are lost')
    .addHelpText(
      'after',
      examples('hmsctl hospital delete city-general --wait', 'hmsctl hospital delete trial-clinic --confirm --wait'),
    )
    .action(async (prefix: string, { confirm, wait, timeout }: Waiting & { confirm?: boolean }, command: Command) => {
      const hospitals = new Hospitals(kubeConfig(globals(command).kubeconfig));
      const hospital = await hospitals.get(prefix);
      if (hospital.spec.deletionPolicy === 'Delete') {
        if (!confirm) {
          throw new Exit(
            EXIT.usage,
            `hospital ${prefix} has deletionPolicy Delete: its data, files and accounts would be lost. Add --confirm if that is meant.`,
          );
        }
        await hospitals.confirmDeletion(prefix);
      }
      await hospitals.delete(prefix);
      if (wait) await waitGone(hospitals, prefix, timeout);
      console.log(`hospital ${prefix} ${wait ? 'is deleted' : 'is being deleted'}`);
    });
}

async function waitGone(hospitals: Hospitals, name: string, timeout: number): Promise<void> {
  let latest: Hospital | undefined;
  const gone = await poll(
    async () => {
      latest = await hospitals.find(name);
      return latest === undefined || undefined;
    },
    { timeout, interval: 200 },
  );
  if (gone || !latest) return;
  const left = (latest.status?.teardown ?? []).filter((part) => !part.done).map((part) => part.backend);
  const deleting = conditionsOf(latest).filter((condition) => condition.type === 'Deleting');
  const lines = [...(left.length > 0 ? [`    not finished: ${left.join(', ')}`] : []), ...deleting.map(conditionLine)];
  throw new Exit(EXIT.timeout, [`hospital ${name} is not deleted in time; it goes on by itself.`, ...lines].join('\n'));
}
