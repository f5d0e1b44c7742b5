/** hospital: the objects of a cluster. Its commands need nothing but the kubeconfig. */
import { Command } from 'commander';
import { examples } from '../options.ts';
import { applyCommand, diffCommand } from './hospital/apply.ts';
import { deleteCommand, resumeCommand, rotateKeyCommand, suspendCommand, waitCommand } from './hospital/change.ts';
import { describeCommand } from './hospital/describe.ts';
import { editCommand } from './hospital/edit.ts';
import { getCommand, listCommand, planCommand } from './hospital/show.ts';

export function hospitalCommand(): Command {
  const hospital = new Command('hospital')
    .alias('hospitals')
    .description('hospitals of a cluster')
    .addHelpText('after', examples('hmsctl hospital list', 'hmsctl hospital get st-mary -o yaml'));
  for (const command of [
    ...[listCommand(), getCommand(), describeCommand(), planCommand()],
    ...[applyCommand(), diffCommand(), editCommand()],
    ...[suspendCommand(), resumeCommand(), waitCommand(), rotateKeyCommand(), deleteCommand()],
  ])
    hospital.addCommand(command);
  return hospital;
}
