/** hospital get, list, plan: what the cluster knows about hospitals. */

import type { HospitalObject } from '@hms/hospitals';
import { conditionLine, conditionsOf } from '@hms/local';
import { Command } from 'commander';
import { EXIT, Exit } from '../../exit.ts';
import { conditionStatus } from '../../hospitals.ts';
import { examples, globals } from '../../options.ts';
import { age, harmless, print } from '../../output.ts';
import { hospitalsOf, prefixArgument } from './options.ts';

export function getCommand(): Command {
  return prefixArgument(new Command('get').description('show one hospital'))
    .addHelpText(
      'after',
      examples(
        'hmsctl hospital get st-mary',
        'hmsctl hospital get st-mary -o yaml',
        "hmsctl hospital get st-mary -o jsonpath='{.status.endpoints.portal}'",
      ),
    )
    .action(async (prefix: string, _options, command: Command) => {
      const { output } = globals(command);
      const hospital = await hospitalsOf(command).get(prefix);
      print(hospital, output, (one, wide) => rows([one], wide));
      if (output !== 'table') return;
      for (const condition of conditionsOf(hospital)) console.log(harmless(conditionLine(condition).trimStart()));
      const { state, since } = hospital.status?.signingKey ?? {};
      if (since) console.log(`signing key since ${since}${state === 'Rotating' ? ', is being replaced' : ''}`);
    });
}

export function listCommand(): Command {
  return new Command('list')
    .description('show all hospitals')
    .addHelpText(
      'after',
      examples(
        'hmsctl hospital list',
        'hmsctl hospital list -o wide',
        'hmsctl hospital list -o custom-columns=NAME:.metadata.name,ZONE:.spec.timezone',
      ),
    )
    .action(async (_options, command: Command) => {
      print(await hospitalsOf(command).list(), globals(command).output, rows);
    });
}

/** @param wide with the columns of `kubectl get hospitals -o wide`. */
export function rows(hospitals: readonly HospitalObject[], wide = false): string[][] {
  // The conditions of the operator's backends, such as IdentityReady.
  const types = hospitals.flatMap(conditionsOf).map(({ type }) => type);
  const columns = [...new Set(types.flatMap((type) => /.+(?=Ready$)/.exec(type) ?? []))].sort();
  const message = (hospital: HospitalObject) => conditionsOf(hospital).find(({ type }) => type === 'Ready')?.message;
  return [
    [
      ...['PREFIX', 'READY', 'PHASE', 'STATE', ...columns.map((name) => name.toUpperCase()), 'SCHEMA', 'AGE'],
      ...(wide ? ['HOSPITAL-ID', 'HOST', 'MESSAGE'] : []),
    ],
    ...hospitals.map((hospital) => [
      hospital.metadata.name,
      conditionStatus(hospital, 'Ready'),
      hospital.status?.phase ?? '-',
      hospital.spec.state ?? '-',
      ...columns.map((name) => conditionStatus(hospital, `${name}Ready`)),
      String(hospital.status?.schemaVersion ?? '-'),
      age(hospital.metadata.creationTimestamp),
      ...(wide
        ? [hospital.status?.hospitalId ?? '-', hospital.status?.endpoints?.portal ?? '-', message(hospital) ?? '-']
        : []),
    ]),
  ];
}

export function planCommand(): Command {
  return prefixArgument(
    new Command('plan').description('show what the operator would change for a hospital with managementPolicy Observe'),
  )
    .addHelpText('after', examples('hmsctl hospital plan st-mary', 'hmsctl hospital plan st-mary -o json'))
    .action(async (prefix: string, _options, command: Command) => {
      const { output } = globals(command);
      const hospitals = hospitalsOf(command);
      const hospital = await hospitals.get(prefix);
      const { metadata, spec, status } = hospital;
      if (spec.managementPolicy !== 'Observe')
        throw new Exit(
          EXIT.usage,
          `hospital ${prefix} has managementPolicy ${spec.managementPolicy ?? 'Full'}, so the operator has no plan for it: hmsctl hospital diff -f shows what a manifest would change.`,
        );
      if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0))
        throw new Exit(
          EXIT.failure,
          `the plan of hospital ${prefix} is not for its current spec yet; ${(await hospitals.silence()) ?? 'try again in a moment'}.`,
        );
      const plan = status?.plan ?? [];
      print(plan, output, () => (plan.length > 0 ? plan.map((line) => [line]) : [['nothing would change']]));
    });
}
