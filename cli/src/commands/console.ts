/** console rotate-key: the realm of the platform's own users. */
import { ANNOTATION } from '@hms/hospitals';
import { Command } from 'commander';
import { Cluster } from '../cluster.ts';
import { isOwnPlatform, kubeConfig } from '../kubeconfig.ts';
import { LEASE } from '../operator-lease.ts';
import { examples, globals, objectName } from '../options.ts';

export function consoleCommand(): Command {
  return new Command('console')
    .description("the realm of the platform's own users")
    .addHelpText('after', examples('hmsctl console rotate-key'))
    .addCommand(rotateKeyCommand());
}

function rotateKeyCommand(): Command {
  return new Command('rotate-key')
    .description(
      "replace the key that signs the access tokens of the platform's users; each person's program refreshes its token once",
    )
    .option(
      '-n, --namespace <name>',
      "namespace of the operator; default: hms, on this machine's platform default",
      objectName,
    )
    .addHelpText('after', examples('hmsctl console rotate-key', 'hmsctl console rotate-key -n hospitals'))
    .action(async (options: { namespace?: string }, command: Command) => {
      const config = kubeConfig(globals(command));
      const namespace = options.namespace ?? (isOwnPlatform(config) ? 'default' : 'hms');
      const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${LEASE}`;
      await new Cluster(config).annotate(path, ANNOTATION.rotateKeyRequestedAt, new Date().toISOString());
      console.log(
        `the realm console gets a new signing key; the event KeyRotated of the Lease ${LEASE} in ${namespace} tells when`,
      );
    });
}
