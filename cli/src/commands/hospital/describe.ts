/** hospital describe: all that the cluster knows about one hospital, for people. */

import type { HospitalObject } from '@hms/hospitals';
import { Command } from 'commander';
import { EXIT, Exit } from '../../exit.ts';
import { eventsOf, type HospitalEvent } from '../../hospital-events.ts';
import { examples, globals } from '../../options.ts';
import { age, columns, harmless } from '../../output.ts';
import { eventRows } from '../events.ts';
import { hospitalsOf, prefixArgument } from './options.ts';

export function describeCommand(): Command {
  return prefixArgument(
    new Command('describe').description('show one hospital with its conditions, engines, hosts and events'),
  )
    .addHelpText('after', examples('hmsctl hospital describe st-mary'))
    .action(async (prefix: string, _options, command: Command) => {
      if (globals(command).output !== 'table')
        throw new Exit(EXIT.usage, 'hospital describe prints text for people: use hospital get with -o.');
      const hospitals = hospitalsOf(command);
      const hospital = await hospitals.get(prefix);
      const [events, silence] = await Promise.all([eventsOf(hospitals.cluster, hospital), hospitals.silence()]);
      console.log(harmless(description(hospital, events)));
      if (silence) process.stderr.write(`hmsctl: ${silence}, so this may be out of date.\n`);
    });
}

/** @param now milliseconds since 1970. */
function description(hospital: HospitalObject, events: readonly HospitalEvent[], now = Date.now()): string {
  const { status } = hospital;
  return [
    columns(factsOf(hospital, now).filter(([, value]) => value !== undefined) as string[][]),
    section('Conditions', [
      ['TYPE', 'STATUS', 'REASON', 'AGE', 'MESSAGE'],
      ...(status?.conditions ?? []).map(({ type, status: is, reason, message, lastTransitionTime }) => [
        type,
        is,
        reason ?? '-',
        age(lastTransitionTime, now),
        message || '-',
      ]),
    ]),
    section('Engines', [
      ['ENGINE', 'STATE', 'REASON', 'NAME THERE', 'MESSAGE'],
      ...Object.entries(status?.backends ?? {}).map(([name, { state, reason, externalId, message }]) => [
        name,
        state ?? '-',
        reason ?? '-',
        externalId ?? '-',
        message || '-',
      ]),
    ]),
    section('Plan', [['WOULD CHANGE'], ...(status?.plan ?? []).map((line) => [line])]),
    section('Deletion', [
      ['ENGINE', 'DONE', 'REMAINS'],
      ...(status?.teardown ?? []).map(({ backend, done, remaining }) => [
        backend,
        done ? 'yes' : 'no',
        remaining ?? '-',
      ]),
    ]),
    events.length > 0 ? section('Events', eventRows(events)) : '\nEvents: none within the last hour',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function factsOf({ metadata, spec, status }: HospitalObject, now: number): (string | undefined)[][] {
  const { owner } = spec;
  const current = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  const { annotations = {} } = metadata as { annotations?: Readonly<Record<string, string>> };
  const marks = Object.entries(annotations).map(([name, value]) => `${name}=${value}`);
  return [
    ['Prefix', metadata.name],
    ['Name', spec.displayName],
    ['Phase', `${status?.phase ?? '-'}${current ? '' : ' (the operator has not processed the current spec yet)'}`],
    ['State', spec.state],
    ['Hospital ID', status?.hospitalId],
    ['Portal', status?.endpoints?.portal],
    ['API', status?.endpoints?.api],
    ['Issuer', status?.endpoints?.issuer],
    ['Hosts', status?.hosts?.join(', ')],
    ['Owner', owner && `${owner.firstName} ${owner.lastName} <${owner.email}>`],
    ['Time zone', spec.timezone],
    ['Currency', spec.currency],
    ['Deletion policy', spec.deletionPolicy],
    ['Management policy', spec.managementPolicy],
    ['Schema version', status?.schemaVersion?.toString()],
    ['Signing key', status?.signingKey && `${status.signingKey.state} since ${status.signingKey.since}`],
    ['Last verified', status?.lastVerifiedTime && `${age(status.lastVerifiedTime, now)} ago`],
    [
      'Created',
      metadata.creationTimestamp && `${metadata.creationTimestamp} (${age(metadata.creationTimestamp, now)} ago)`,
    ],
    ['Deleted', metadata.deletionTimestamp && `since ${metadata.deletionTimestamp}`],
    ['Annotations', marks.length > 0 ? marks.join(', ') : undefined],
  ];
}

/** @param table its heading and rows. @returns nothing without rows. */
function section(title: string, table: readonly (readonly string[])[]): string {
  return table.length > 1 ? `\n${title}:\n${columns(table).replace(/^/gm, '  ')}` : '';
}
