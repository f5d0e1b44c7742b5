/** hospital apply, get, list, rotate-key, delete. */
import { isDeepStrictEqual } from 'node:util';
import { conditionLine, conditionsOf, isDone, poll } from '@hms/local';
import { Command, Option } from 'commander';
import { Refused } from '../cluster.ts';
import { EXIT, Exit } from '../exit.ts';
import { conditionStatus, type Hospital, Hospitals } from '../hospitals.ts';
import { kubeConfig } from '../kubeconfig.ts';
import { type HospitalManifest, readHospitals } from '../manifests.ts';
import { collect, examples, globals, hospitalPrefix, milliseconds } from '../options.ts';
import { age, print } from '../output.ts';

interface Waiting {
  readonly wait?: boolean;
  /** Milliseconds. */
  readonly timeout: number;
}

export function hospitalCommand(): Command {
  const hospital = new Command('hospital')
    .alias('hospitals')
    .description('hospitals of a cluster')
    .addHelpText('after', examples('hmsctl hospital list', 'hmsctl hospital get st-mary -o yaml'));
  for (const command of [applyCommand(), getCommand(), listCommand(), rotateKeyCommand(), deleteCommand()])
    hospital.addCommand(command);
  return hospital;
}

function waitOptions(command: Command): Command {
  return command
    .option('--wait', 'wait until it is done')
    .addOption(
      new Option('--timeout <time>', 'how long to wait, such as 90s or 5m')
        .argParser(milliseconds)
        .default(120_000, '2m'),
    );
}

interface Applying extends Waiting {
  readonly filename: readonly string[];
  readonly recursive?: boolean;
}

function applyCommand(): Command {
  return waitOptions(new Command('apply').description('create or update hospitals from manifests'))
    .requiredOption(
      '-f, --filename <file>',
      'manifest in YAML or JSON, or a folder of them; - reads standard input; may be given more than once',
      collect,
    )
    .option('-R, --recursive', 'also read subfolders')
    .addHelpText(
      'after',
      examples(
        'hmsctl hospital apply -f crds/samples/city-general.yaml --wait',
        'hmsctl hospital apply -f st-mary.yaml -f city-general.yaml',
        'hmsctl hospital apply -f hospitals/ -R',
        'cat st-mary.yaml | hmsctl hospital apply -f -',
      ),
    )
    .action(async ({ filename, recursive, wait, timeout }: Applying, command: Command) => {
      const manifests = await readHospitals(filename, recursive);
      const hospitals = new Hospitals(kubeConfig(globals(command).kubeconfig));
      await check(hospitals, manifests);
      const applied: Hospital[] = [];
      for (const { manifest, source } of manifests) {
        const before = await hospitals.find(manifest.metadata.name);
        const after = await naming(source, () => hospitals.apply(manifest));
        applied.push(after);
        process.stderr.write(`hospital ${after.metadata.name} ${changeOf(before, after)}\n`);
      }
      const ready = wait ? await waitReady(hospitals, applied, timeout) : applied;
      const { output } = globals(command);
      if (wait || output !== 'table') print(ready.length === 1 ? ready[0] : ready, output, () => rows(ready));
    });
}

/** Dry-runs all of them before the first is applied. */
async function check(hospitals: Hospitals, manifests: readonly HospitalManifest[]): Promise<void> {
  const refused: string[] = [];
  for (const { manifest, source } of manifests) {
    try {
      await hospitals.apply(manifest, { dryRun: true });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused.push(`${source}: ${error.message}`);
    }
  }
  if (refused.length > 0) throw new Exit(EXIT.failure, ['nothing was applied.', ...refused].join('\n'));
}

async function naming<T>(source: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Refused ? new Exit(error.code, `${source}: ${error.message}`) : error;
  }
}

/** The resource version does not show a change, because it also counts changes of field managers. */
function changeOf(before: Hospital | undefined, after: Hospital): string {
  if (!before) return 'created';
  const written = ({ metadata: { generation, labels, annotations } }: Hospital) => ({
    generation,
    labels,
    annotations,
  });
  return isDeepStrictEqual(written(before), written(after)) ? 'unchanged' : 'changed';
}

/** Waits for all of them. Those that are not done in time are reported together. */
async function waitReady(hospitals: Hospitals, applied: readonly Hospital[], timeout: number): Promise<Hospital[]> {
  const latest = [...applied];
  const waits = latest.map((hospital, index) =>
    poll(
      async () => {
        const now = await hospitals.get(hospital.metadata.name);
        latest[index] = now;
        return isDone(now) || undefined;
      },
      { timeout, interval: 200 },
    ),
  );
  await Promise.all(waits);
  const late = latest.filter((hospital) => !isDone(hospital));
  if (late.length === 0) return latest;
  const lines = late.flatMap((hospital) => [
    `hospital ${hospital.metadata.name} is not Ready in time; the operator keeps trying. Its conditions:`,
    ...conditionsOf(hospital).map(conditionLine),
  ]);
  throw new Exit(EXIT.timeout, lines.join('\n'));
}

function getCommand(): Command {
  return new Command('get')
    .description('show one hospital')
    .argument('<prefix>', 'prefix, which is the name of the object', hospitalPrefix)
    .addHelpText('after', examples('hmsctl hospital get st-mary', 'hmsctl hospital get st-mary -o yaml'))
    .action(async (prefix: string, _options, command: Command) => {
      const { output, kubeconfig } = globals(command);
      const hospital = await new Hospitals(kubeConfig(kubeconfig)).get(prefix);
      print(hospital, output, (one) => rows([one]));
      if (output !== 'table') return;
      for (const condition of conditionsOf(hospital)) console.log(conditionLine(condition).trimStart());
      const { state, since } = hospital.status?.signingKey ?? {};
      if (since) console.log(`signing key since ${since}${state === 'Rotating' ? ', is being replaced' : ''}`);
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
  // The conditions of the operator's backends, such as IdentityReady.
  const types = hospitals.flatMap(conditionsOf).map(({ type }) => type);
  const columns = [...new Set(types.flatMap((type) => /.+(?=Ready$)/.exec(type) ?? []))].sort();
  return [
    ['PREFIX', 'READY', 'PHASE', 'STATE', ...columns.map((name) => name.toUpperCase()), 'SCHEMA', 'AGE'],
    ...hospitals.map((hospital) => [
      hospital.metadata.name,
      conditionStatus(hospital, 'Ready'),
      hospital.status?.phase ?? '-',
      hospital.spec.state ?? '-',
      ...columns.map((name) => conditionStatus(hospital, `${name}Ready`)),
      String(hospital.status?.schemaVersion ?? '-'),
      age(hospital.metadata.creationTimestamp),
    ]),
  ];
}

function rotateKeyCommand(): Command {
  return waitOptions(
    new Command('rotate-key').description(
      "replace the key that signs a hospital's access tokens; each person's program refreshes its token once",
    ),
  )
    .argument('<prefix>', 'prefix, which is the name of the object', hospitalPrefix)
    .addHelpText('after', examples('hmsctl hospital rotate-key st-mary --wait'))
    .action(async (prefix: string, { wait, timeout }: Waiting, command: Command) => {
      const hospitals = new Hospitals(kubeConfig(globals(command).kubeconfig));
      await hospitals.get(prefix);
      const request = new Date().toISOString();
      await hospitals.rotateKey(prefix, request);
      if (!wait) return console.log(`hospital ${prefix} gets a new signing key`);
      const done = await poll(
        async () => {
          const { signingKey } = (await hospitals.get(prefix)).status ?? {};
          return signingKey?.requestedAt === request ? signingKey : undefined;
        },
        { timeout, interval: 200 },
      );
      if (done) return console.log(`hospital ${prefix} signs with a new key since ${done.since}`);
      const late = `hospital ${prefix} does not sign with a new key in time; the operator keeps trying. Its conditions:`;
      const conditions = conditionsOf(await hospitals.get(prefix)).map(conditionLine);
      throw new Exit(EXIT.timeout, [late, ...conditions].join('\n'));
    });
}

function deleteCommand(): Command {
  return waitOptions(
    new Command('delete').description('delete a hospital: deletionPolicy Retain keeps its data, Delete deletes it'),
  )
    .argument('<prefix>', 'prefix, which is the name of the object', hospitalPrefix)
    .option('--confirm', 'required if deletionPolicy is Delete: all its data, files and accounts are lost')
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
            `hospital ${prefix} has deletionPolicy Delete: its data, files and accounts would be lost. Add --confirm to confirm this.`,
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
  const deleted = await poll(
    async () => {
      latest = await hospitals.find(name);
      return latest === undefined || undefined;
    },
    { timeout, interval: 200 },
  );
  if (deleted || !latest) return;
  const unfinished = (latest.status?.teardown ?? []).filter((part) => !part.done).map((part) => part.backend);
  const deleting = conditionsOf(latest).filter((condition) => condition.type === 'Deleting');
  const lines = [
    ...(unfinished.length > 0 ? [`    not finished: ${unfinished.join(', ')}`] : []),
    ...deleting.map(conditionLine),
  ];
  throw new Exit(
    EXIT.timeout,
    [`hospital ${name} is not deleted in time; the deletion continues.`, ...lines].join('\n'),
  );
}
