/** events: what happened to hospitals. */
import { Command } from 'commander';
import { EXIT, Exit } from '../exit.ts';
import { type HospitalEvent, listEvents, timeOf, watchEvents } from '../hospital-events.ts';
import { examples, globals, hospitalPrefix } from '../options.ts';
import { age, harmless, print } from '../output.ts';
import { hospitalsOf } from './hospital/options.ts';

interface Options {
  readonly watch?: boolean;
  readonly types?: readonly string[];
}

export function eventsCommand(): Command {
  return new Command('events')
    .description('show what happened to hospitals within the last hour, the latest at the end')
    .argument('[prefix]', 'only those of this hospital', hospitalPrefix)
    .option('-w, --watch', 'print further events as they happen, until Ctrl-C')
    .option('--types <types>', 'only those of these types, such as Warning or Normal,Warning', (text) =>
      text.split(','),
    )
    .addHelpText(
      'after',
      examples('hmsctl events', 'hmsctl events st-mary -w', 'hmsctl events --types=Warning -o json'),
    )
    .action(async (hospital: string | undefined, { watch, types }: Options, command: Command) => {
      const { output } = globals(command);
      if (watch && output !== 'table' && output !== 'json')
        throw new Exit(EXIT.usage, 'with --watch, events are printed as text or with -o json.');
      const { cluster } = hospitalsOf(command);
      const filter = { ...(hospital === undefined ? {} : { hospital }), ...(types === undefined ? {} : { types }) };
      const { events, resourceVersion } = await listEvents(cluster, filter);
      if (!watch) {
        if (events.length === 0 && output === 'table') return console.log('There are no events.');
        return print(events.map(asObject), output, () => eventRows(events));
      }
      const write = (event: HospitalEvent) =>
        console.log(output === 'json' ? JSON.stringify(asObject(event)) : harmless(lineOf(event)));
      for (const event of events) write(event);
      for await (const event of watchEvents(cluster, filter, resourceVersion)) write(event);
    });
}

/** Also of `hospital describe`. */
export function eventRows(events: readonly HospitalEvent[]): string[][] {
  return [
    ['LAST', 'TYPE', 'REASON', 'HOSPITAL', 'COUNT', 'MESSAGE'],
    ...events.map((event) => [
      age(timeOf(event) || undefined),
      event.type ?? '-',
      event.reason ?? '-',
      event.involvedObject.name,
      String(event.count ?? 1),
      event.message ?? '-',
    ]),
  ];
}

function asObject(event: HospitalEvent): HospitalEvent & { apiVersion: string; kind: string } {
  return { apiVersion: 'v1', kind: 'Event', ...event };
}

/** Columns would shift while lines are added. */
function lineOf(event: HospitalEvent): string {
  const { type = '-', reason = '-', involvedObject, message = '' } = event;
  return `${timeOf(event)}  ${type.padEnd(7)}  ${reason}  ${involvedObject.name}: ${message.replaceAll('\n', ' ')}`;
}
