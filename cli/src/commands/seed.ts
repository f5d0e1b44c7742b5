/** seed: believable people and their history, for a hospital that is shown or tried. */
import type { WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { connect, findHospitalByPrefix, type Hospital, openTenantPool } from '@hms/database';
import { lineReport } from '@hms/local';
import type { LabelledPair, SeedOptions, SeedOutcome } from '@hms/seed';
import { Sealer } from '@hms/service';
import { Command, InvalidArgumentError } from 'commander';
import { stringify } from 'csv-stringify';
import { pino } from 'pino';
import { EXIT, Exit } from '../exit.ts';
import { examples, globals, hospitalPrefix } from '../options.ts';
import { print } from '../output.ts';
import { databaseUrl } from '../platform-database.ts';

type Created = SeedOutcome['created'];

interface Options {
  readonly hospital: string;
  readonly patients: number;
  readonly days: number;
  readonly seed: number;
  readonly documents: number;
  readonly pairs?: string;
  readonly yes?: boolean;
}

const PATIENCE = 120_000;
const MOST_PATIENTS = 1_000_000;
const MOST_DAYS = 365;
const MOST_SEED = 999_999_999;

const HELP = `
Families, appointments, tokens, orders, results, stock, prescriptions, invoices and payments are created by the rules of
the modules, at the times at which they would have happened. Run it again after an interruption, on a later day or with
more patients, and it continues. The staff it hires has accounts without a password. Nobody's data is deleted, and seeded records can't be removed one by one later.

The database is that of the platform on this machine, or DATABASE_URL with the account of the module hms, as in its
container: kubectl exec deploy/<release>-hms -- bin/hms hmsctl seed --hospital st-mary
`;

export function seedCommand(): Command {
  return new Command('seed')
    .description('fill a hospital with believable people and their history, to show or try it')
    .requiredOption('--hospital <prefix>', 'the hospital', hospitalPrefix)
    .option(
      '--patients <number>',
      'seeded patients that the hospital has afterwards',
      number(' patients', 1, MOST_PATIENTS),
      1000,
    )
    .option('--days <number>', 'days of history until today', number(' days', 1, MOST_DAYS), 90)
    .option('--seed <number>', 'another number makes other people', number('', 0, MOST_SEED), 1)
    .option(
      '--documents <days>',
      'render reports, prescriptions and invoices of the last days as PDF',
      number(' days', 0, MOST_DAYS),
      7,
    )
    .option(
      '--pairs <file>',
      'write a CSV file with the patients who are registered twice, and the errors of the second record',
    )
    .option('--yes', 'also in a hospital with patients of its own')
    .addHelpText(
      'after',
      HELP +
        examples(
          'hmsctl seed --hospital st-mary',
          'hmsctl seed --hospital st-mary --patients 100000 --days 30 --documents 0',
          'hmsctl seed --hospital st-mary --pairs duplicates.csv',
        ),
    )
    .action(async (options: Options, command: Command) => {
      const created = await seed(options);
      print(created, globals(command).output, rows);
    });
}

async function seed(options: Options): Promise<Created> {
  // Its names of many countries take a while to load.
  const { labelledPairs, otherPatients, seedHospital } = await import('@hms/seed');
  const url = databaseUrl('app');
  const db = connect(url, { poolSize: 2, applicationName: 'hmsctl' });
  const tenants = openTenantPool(url, { poolSize: 2, applicationName: 'hmsctl', prepared: true });
  const sealer = new Sealer({ db, tenants, log: pino({ level: 'silent' }), delay: SEALING_MS });
  const report = lineReport((line) => process.stderr.write(`${line}\n`), HEARTBEAT_MS);
  try {
    const hospital = active(options.hospital, await findHospitalByPrefix(db, options.hospital));
    const seeding: SeedOptions = {
      ...{ tenants, hospital, sealer, now: new Date(), patience: PATIENCE, documentDays: options.documents },
      ...{ patients: options.patients, days: options.days, seed: options.seed },
      part: (doing, work) => report.during(doing, work),
    };
    const others = await otherPatients(seeding);
    if (others > 0 && !options.yes) {
      throw new Exit(
        EXIT.usage,
        `${options.hospital} has ${others} ${others === 1 ? 'patient' : 'patients'} of its own, and seeded people can't be told from them later: choose another hospital, or give --yes.`,
      );
    }
    const pairs = options.pairs === undefined ? undefined : await openForWriting(options.pairs);
    const { created, codes } = await seedHospital(seeding);
    if (pairs) await writePairs(pairs, labelledPairs(options.seed, codes.length), codes);
    return created;
  } finally {
    await sealer.end();
    await Promise.all([db.destroy(), tenants.end()]);
  }
}

const HEARTBEAT_MS = 5_000;
/** Fewer seals, of more events each, leave more of the machine to the seed. */
const SEALING_MS = 5_000;

function active(prefix: string, hospital: Hospital | undefined): Hospital {
  if (!hospital) throw new Exit(EXIT.notFound, `there is no hospital ${prefix}.`);
  if (hospital.state === 'Active') return hospital;
  throw new Exit(EXIT.failure, `${prefix} is ${hospital.state}: only an active hospital can be seeded.`);
}

/** One line for each pair. */
async function writePairs(file: WriteStream, pairs: Iterable<LabelledPair>, codes: readonly string[]): Promise<void> {
  const lines = Readable.from(pairs).map(({ first, again, errors, numbers: [number, againNumber] }: LabelledPair) => ({
    ...{ patientCode: codes[number], firstName: first.firstName, lastName: first.lastName },
    ...{ dateOfBirth: first.dateOfBirth, phone: first.phone, againPatientCode: codes[againNumber] },
    ...{ againFirstName: again.firstName, againLastName: again.lastName },
    ...{ againDateOfBirth: again.dateOfBirth, againPhone: again.phone, errors: errors.join('; ') },
  }));
  await pipeline(lines, stringify({ header: true }), file);
}

/** Before the work, so that it is not done in vain. @throws Exit */
async function openForWriting(file: string): Promise<WriteStream> {
  try {
    return (await open(file, 'w')).createWriteStream();
  } catch (error) {
    throw new Exit(EXIT.usage, `${file} can't be written: ${(error as Error).message}.`);
  }
}

/** A whole number within limits. */
function number(of: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) throw new InvalidArgumentError(`Write from ${least} to ${most}${of}.`);
    return value;
  };
}

function rows(created: Created): string[][] {
  return [
    ['CREATED', 'NUMBER'],
    ['patients', String(created.patients)],
    ['appointments', String(created.appointments)],
    ['waiting list entries', String(created.waiting)],
    ['queue tokens', String(created.tokens)],
    ['lab orders', String(created.orders)],
    ['prescriptions', String(created.prescriptions)],
    ['dispenses', String(created.dispenses)],
    ['invoices', String(created.invoices)],
    ['payments', String(created.payments)],
    ['visitors', String(created.visitors)],
  ];
}
