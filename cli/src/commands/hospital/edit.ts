/** hospital edit: a hospital in an editor. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { HospitalObject } from '@hms/hospitals';
import { Command } from 'commander';
import { stringify } from 'yaml';
import { Conflict, Refused } from '../../cluster.ts';
import { EXIT, Exit } from '../../exit.ts';
import { changeOf, type Hospitals } from '../../hospitals.ts';
import { hospitalsIn } from '../../manifests.ts';
import { mergePatch } from '../../merge-patch.ts';
import { dryRunOption, examples } from '../../options.ts';
import { handlingSignals } from '../../signals.ts';
import { dryRunNote, hospitalsOf, prefixArgument, say, type Writing } from './options.ts';

export function editCommand(): Command {
  return prefixArgument(
    new Command('edit').description('change one hospital in an editor: $KUBE_EDITOR, $EDITOR or vi'),
  )
    .addOption(dryRunOption())
    .addHelpText('after', examples('hmsctl hospital edit st-mary', 'KUBE_EDITOR=nano hmsctl hospital edit st-mary'))
    .action(async (prefix: string, { dryRun }: Writing, command: Command) => {
      const hospitals = hospitalsOf(command);
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hmsctl-edit-'));
      const file = path.join(folder, `${prefix}.yaml`);
      const outcome = await edit(hospitals, prefix, file, dryRun).catch((error: unknown) => {
        if (!fs.existsSync(file)) throw error;
        const { code, message } = error instanceof Exit ? error : new Exit(EXIT.failure, String(error));
        throw new Exit(code, `${message}\nThe edited text is kept in ${file}.`);
      });
      fs.rmSync(folder, { recursive: true, force: true });
      say(`hospital ${prefix} ${outcome}`);
    });
}

const HELP = [
  'Change the hospital, save and leave the editor. Nothing is sent if nothing is changed.',
  'kubectl explain hospital.spec describes each field.',
];

/** @returns what became of the hospital. @throws Exit with the text still in `file`. */
async function edit(hospitals: Hospitals, prefix: string, file: string, dryRun = false): Promise<string> {
  const before = await hospitals.get(prefix);
  const original = yamlOf(before);
  let text = original;
  let why: readonly string[] = [];
  for (;;) {
    fs.writeFileSync(file, comment([...why, ...HELP]) + text, { mode: 0o600 });
    await openEditor(file).catch((error: unknown) => {
      // Nothing was edited that could be lost.
      if (!fs.existsSync(file) || withoutComment(fs.readFileSync(file, 'utf8')) === original)
        fs.rmSync(path.dirname(file), { recursive: true, force: true });
      throw error;
    });
    const saved = withoutComment(fs.readFileSync(file, 'utf8'));
    if (saved.trim() === '' || saved === original) return 'unchanged: nothing was edited';
    if (saved === text && why.length > 0)
      throw new Exit(EXIT.failure, `nothing was saved, because the text is still refused: ${why.join(' ')}`);
    text = saved;
    const parsed = hospitalsIn(saved, 'the text');
    const [only] = parsed.manifests;
    if (!only || parsed.manifests.length > 1 || parsed.problems.length > 0) {
      why = parsed.problems.length > 0 ? parsed.problems : ['Leave exactly one hospital in the text.'];
      continue;
    }
    if (only.manifest.metadata.name !== prefix) {
      why = [`metadata.name can't be changed: write ${prefix}. hmsctl hospital apply creates another hospital.`];
      continue;
    }
    const patch = mergePatch(hospitalsIn(original, 'x').manifests[0]?.manifest ?? {}, only.manifest);
    if (!patch) return 'unchanged: nothing was edited';
    try {
      const after = await save(hospitals, before, patch, dryRun);
      return `${changeOf(before, after)}${dryRunNote(dryRun)}`;
    } catch (error) {
      if (!(error instanceof Refused) || error instanceof Conflict || error.code === EXIT.notFound) throw error;
      why = [error.message];
    }
  }
}

/** The operator writes the status meanwhile, which is no conflict. Another change by a person is. */
async function save(
  hospitals: Hospitals,
  before: HospitalObject,
  patch: object,
  dryRun: boolean,
): Promise<HospitalObject> {
  const { name } = before.metadata;
  for (;;) {
    const now = await hospitals.get(name);
    if (now.metadata.uid !== before.metadata.uid || changeOf(before, now) !== 'unchanged')
      throw new Conflict(
        EXIT.failure,
        `somebody else has changed hospital ${name} meanwhile, and nothing was saved: edit it again.`,
      );
    const { resourceVersion } = now.metadata;
    const { metadata = {} } = patch as { metadata?: object };
    try {
      return await hospitals.change(name, { ...patch, metadata: { ...metadata, resourceVersion } }, { dryRun });
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
    }
  }
}

/** As it may be applied: without the status and what the API server writes. */
function yamlOf(hospital: HospitalObject): string {
  const [only] = hospitalsIn(JSON.stringify(hospital), 'x').manifests;
  return stringify(only?.manifest);
}

function comment(lines: readonly string[]): string {
  return lines
    .flatMap((line) => line.split('\n'))
    .map((line) => `# ${line}\n`)
    .join('');
}

/** Without the comment at the beginning, which may tell about an earlier refusal. */
function withoutComment(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(/^(#.*\n)+/, '');
}

async function openEditor(file: string): Promise<void> {
  const editor = process.env.KUBE_EDITOR || process.env.EDITOR || 'vi';
  // The shell splits arguments of the editor, as in EDITOR="code --wait".
  const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
  // The editor decides what Ctrl-C does.
  const code = await handlingSignals(
    () => undefined,
    async () => (await once(child, 'close'))[0] as number | null,
  );
  if (code !== 0)
    throw new Exit(EXIT.failure, `the editor ${editor} ended with ${code}: name another one with KUBE_EDITOR.`);
}
