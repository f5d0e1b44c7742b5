/** tasks list, retry, drop: background tasks that are not finished. */
import {
  dropTasks,
  findHospitalByPrefix,
  listTasks,
  retryTasks,
  TASK_STATES,
  type TaskFilter,
  type TaskInfo,
  type TaskState,
} from '@hms/database';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Knex } from 'knex';
import { EXIT, Exit } from '../exit.ts';
import { examples, globals, hospitalPrefix } from '../options.ts';
import { age, print } from '../output.ts';
import { databaseHelp, withDatabase } from '../platform-database.ts';

interface ChangeOptions {
  readonly failed?: boolean;
  readonly hospital?: string;
}

export function tasksCommand(): Command {
  const tasks = new Command('tasks')
    .alias('task')
    .description('background tasks that wait, run or failed: mails, PDFs, expiries')
    .addHelpText('after', examples('hmsctl tasks list --state failed', 'hmsctl tasks retry 4711'));
  tasks.addCommand(listCommand());
  tasks.addCommand(
    changeCommand('retry', 'let failed or waiting tasks run now, with all their attempts', 'will run now', retryTasks),
  );
  tasks.addCommand(changeCommand('drop', 'delete tasks, whose work is then never done', 'deleted', dropTasks));
  return tasks;
}

function listCommand(): Command {
  return new Command('list')
    .description('show the tasks that are not finished, oldest first')
    .argument('[prefix]', 'only those of this hospital', hospitalPrefix)
    .addOption(new Option('--state <state>', 'only those in this state').choices(TASK_STATES))
    .addHelpText(
      'after',
      databaseHelp('tasks list') + examples('hmsctl tasks list st-mary', 'hmsctl tasks list --state failed -o json'),
    )
    .action(async (hospital: string | undefined, { state }: { readonly state?: TaskState }, command: Command) => {
      const tasks = await withDatabase(async (db) => {
        await requireHospital(db, hospital);
        return listTasks(db, { hospital, state });
      });
      print(tasks, globals(command).output, rows);
    });
}

function changeCommand(
  name: 'retry' | 'drop',
  description: string,
  done: string,
  change: (db: Knex, ids: readonly number[]) => Promise<readonly number[]>,
): Command {
  return new Command(name)
    .description(description)
    .argument('[id...]', 'ids of the tasks, as in hmsctl tasks list', taskId)
    .option('--failed', 'all failed tasks')
    .option('--hospital <prefix>', 'with --failed: only those of this hospital', hospitalPrefix)
    .addHelpText(
      'after',
      databaseHelp(`tasks ${name} 4711`) +
        examples(`hmsctl tasks ${name} 4711 4712`, `hmsctl tasks ${name} --failed --hospital st-mary`),
    )
    .action(async (ids: readonly number[] = [], { failed, hospital }: ChangeOptions) => {
      if (ids.length > 0 === Boolean(failed))
        throw new Exit(EXIT.usage, 'give the ids of tasks, or --failed for all failed ones.');
      if (hospital !== undefined && !failed) throw new Exit(EXIT.usage, '--hospital needs --failed.');
      await withDatabase(async (db) => {
        await requireHospital(db, hospital);
        const filter: TaskFilter = failed ? { state: 'failed', hospital } : { ids };
        const wanted = (await listTasks(db, filter)).map((task) => task.id);
        const changed = await change(db, wanted);
        const left = ids.filter((id) => !changed.includes(id));
        if (changed.length > 0 || left.length === 0)
          process.stdout.write(`${changed.length} ${changed.length === 1 ? 'task' : 'tasks'} ${done}\n`);
        if (left.length > 0)
          throw new Exit(EXIT.notFound, `${left.join(', ')}: no such task, or it is running at the moment.`);
      });
    });
}

/** @throws Exit: a misspelt name would look like a hospital without tasks. */
async function requireHospital(db: Knex, prefix: string | undefined): Promise<void> {
  if (prefix !== undefined && !(await findHospitalByPrefix(db, prefix)))
    throw new Exit(EXIT.notFound, `there is no hospital ${prefix}.`);
}

function taskId(text: string, before: readonly number[] = []): readonly number[] {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('Write a number, as in hmsctl tasks list.');
  return [...before, Number(text)];
}

function rows(tasks: readonly TaskInfo[]): string[][] {
  return [
    ['ID', 'HOSPITAL', 'TASK', 'STATE', 'ATTEMPTS', 'AGE', 'NEXT', 'ERROR'],
    ...tasks.map(({ id, hospital, task, state, attempts, maxAttempts, createdAt, runAt, lastError }) => [
      ...[String(id), hospital, task, state, `${attempts}/${maxAttempts}`, age(createdAt.toISOString())],
      (state === 'planned' || state === 'waiting') && runAt.getTime() > Date.now()
        ? `in ${age(new Date(2 * Date.now() - runAt.getTime()).toISOString())}`
        : '-',
      lastError?.split('\n')[0] ?? '-',
    ]),
  ];
}
