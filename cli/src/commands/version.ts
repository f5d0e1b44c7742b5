/** version: of hmsctl and of the platform, as far as the kubeconfig tells. */
import { Command } from 'commander';
import type { Cluster } from '../cluster.ts';
import { DEFINITION_NAME, type Definition, fieldsOf, knownFields } from '../definition.ts';
import { EXIT, Exit } from '../exit.ts';
import { examples, globals } from '../options.ts';
import { print } from '../output.ts';
import { hospitalsOf } from './hospital/options.ts';

interface Versions {
  readonly hmsctl: string;
  readonly server: string;
  /** Of the chart's deployments. Empty on a platform without them, such as on one machine. */
  readonly platform: readonly string[];
  /** Fields of hospitals that only hmsctl knows. */
  readonly missing: readonly string[];
  /** Fields of hospitals that only the platform knows. */
  readonly unknown: readonly string[];
}

export function versionCommand(): Command {
  return new Command('version')
    .description('show the versions of hmsctl and of the platform, and whether they know the same fields of hospitals')
    .addHelpText('after', examples('hmsctl version', 'hmsctl version -o json'))
    .action(async (_options, command: Command) => {
      const hmsctl = command.parent?.version() ?? '';
      const versions = await Promise.try(() => read(hospitalsOf(command).cluster, hmsctl)).catch((error: unknown) => {
        // What is known without the platform.
        print({ hmsctl }, globals(command).output, () => [['HMSCTL'], [hmsctl]]);
        throw error;
      });
      print(versions, globals(command).output, rows);
      const { platform, missing, unknown } = versions;
      if (missing.length + unknown.length > 0 || platform.some((version) => version !== hmsctl))
        throw new Exit(
          EXIT.failure,
          `this platform is of another version than this hmsctl ${hmsctl}: use the hmsctl of its release, or upgrade the platform.`,
        );
    });
}

async function read(cluster: Cluster, hmsctl: string): Promise<Versions> {
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${DEFINITION_NAME}`;
  const definition = await cluster.find<Definition>(path);
  if (!definition)
    throw new Exit(EXIT.failure, `${cluster.server} has no hospitals: install the platform there with hmsctl install.`);
  const [known, served] = [knownFields(), fieldsOf(definition)];
  return {
    ...{ hmsctl, server: cluster.server, platform: await deployed(cluster) },
    missing: [...known.keys()].filter((field) => !served.has(field)),
    unknown: [...served.keys()].filter((field) => !known.has(field)),
  };
}

interface Labelled {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
}

/** The versions of the chart's deployments. An account may not see them, and an API server without pods has none. */
async function deployed(cluster: Cluster): Promise<string[]> {
  try {
    const { items } = await cluster.ask((client) =>
      client.request<{ items: Labelled[] }>('GET', '/apis/apps/v1/deployments', {
        query: { labelSelector: 'app.kubernetes.io/part-of=hms' },
      }),
    );
    return [...new Set(items.flatMap(({ metadata }) => metadata.labels?.['app.kubernetes.io/version'] ?? []))].sort();
  } catch (error) {
    if (error instanceof Exit) return [];
    throw error;
  }
}

function rows({ hmsctl, server, platform, missing, unknown }: Versions): string[][] {
  return [
    ['hmsctl', hmsctl],
    ['Server', server],
    ['Platform', platform.join(', ') || 'not known: no deployments with a version'],
    ['Only hmsctl knows', missing.join(', ') || '-'],
    ['Only the platform knows', unknown.join(', ') || '-'],
  ];
}
