/** hospital apply, diff: manifests. */

import type { HospitalObject } from '@hms/hospitals';
import { Command } from 'commander';
import { createTwoFilesPatch } from 'diff';
import { stringify } from 'yaml';
import { Refused } from '../../cluster.ts';
import { EXIT, Exit } from '../../exit.ts';
import { changeOf, type Hospitals, wishOf } from '../../hospitals.ts';
import { type HospitalManifest, readHospitals } from '../../manifests.ts';
import { collect, dryRunOption, examples, globals } from '../../options.ts';
import { harmless, print } from '../../output.ts';
import { READY, waitFor } from '../../waiting.ts';
import { dryRunNote, hospitalsOf, say, type Waiting, type Writing, waitOptions } from './options.ts';
import { rows } from './show.ts';

interface Files {
  readonly filename: readonly string[];
  readonly recursive?: boolean;
}

function fileOptions(command: Command): Command {
  return command
    .requiredOption(
      '-f, --filename <file>',
      'manifest in YAML or JSON, or a folder of them; - reads standard input; may be given more than once',
      collect,
    )
    .option('-R, --recursive', 'also read subfolders');
}

export function applyCommand(): Command {
  return fileOptions(waitOptions(new Command('apply').description('create or update hospitals from manifests')))
    .addOption(dryRunOption())
    .addHelpText(
      'after',
      examples(
        'hmsctl hospital apply -f crds/samples/city-general.yaml --wait',
        'hmsctl hospital apply -f st-mary.yaml -f city-general.yaml',
        'hmsctl hospital apply -f hospitals/ -R --dry-run',
        'cat st-mary.yaml | hmsctl hospital apply -f -',
      ),
    )
    .action(async ({ filename, recursive, wait, timeout, dryRun }: Files & Waiting & Writing, command: Command) => {
      const manifests = await readHospitals(filename, recursive);
      const hospitals = hospitalsOf(command);
      await check(hospitals, manifests);
      const applied: HospitalObject[] = [];
      for (const { manifest, source } of manifests) {
        const before = await hospitals.find(manifest.metadata.name);
        const after = await naming(source, () => hospitals.apply(manifest, { dryRun, isWhole: true }));
        applied.push(after);
        say(`hospital ${after.metadata.name} ${changeOf(before, after)}${dryRunNote(dryRun)}`);
      }
      const waits = wait && !dryRun;
      const names = applied.map(({ metadata }) => metadata.name);
      const latest = waits ? await waitFor(hospitals, names, READY, { timeout, say }) : applied;
      const { output } = globals(command);
      if (waits || output !== 'table')
        print(latest.length === 1 ? latest[0] : latest, output, (_one, wide) => rows(latest, wide));
    });
}

/** Dry-runs all of them before the first is applied. */
async function check(hospitals: Hospitals, manifests: readonly HospitalManifest[]): Promise<void> {
  const refused: string[] = [];
  for (const { manifest, source } of manifests) {
    try {
      await hospitals.apply(manifest, { dryRun: true, isWhole: true });
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

export function diffCommand(): Command {
  return fileOptions(new Command('diff').description('show what apply would change, as the API server would store it'))
    .addHelpText(
      'after',
      examples('hmsctl hospital diff -f st-mary.yaml', 'hmsctl hospital diff -f hospitals/ -R && echo no difference'),
    )
    .action(async ({ filename, recursive }: Files, command: Command) => {
      const differs = await Promise.try(() => differences(hospitalsOf(command), filename, recursive)).catch(
        (error: unknown) => {
          // 1 means that there is a difference, as with kubectl diff.
          if (error instanceof Exit && error.code !== EXIT.failure) throw error;
          throw new Exit(EXIT.noDiff, error instanceof Error ? error.message : String(error));
        },
      );
      for (const text of differs) process.stdout.write(harmless(text));
      if (differs.length > 0) process.exitCode = EXIT.failure;
    });
}

async function differences(hospitals: Hospitals, filename: readonly string[], recursive = false): Promise<string[]> {
  const texts: string[] = [];
  for (const { manifest, source } of await readHospitals(filename, recursive)) {
    const { name } = manifest.metadata;
    const before = await hospitals.find(name);
    const after = await naming(source, () => hospitals.apply(manifest, { dryRun: true, isWhole: true }));
    if (changeOf(before, after) === 'unchanged') continue;
    const old = before ? stringify(wishOf(before)) : '';
    texts.push(
      createTwoFilesPatch(`hospital ${name}`, `hospital ${name}`, old, stringify(wishOf(after)), 'now', source).replace(
        /^Index:.*\n=+\n/,
        '',
      ),
    );
  }
  return texts;
}
