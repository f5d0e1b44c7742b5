import { KubernetesClient, KubernetesError, PATCH } from '@hms/kubernetes';
import { FIELD_MANAGER, sentence } from '@hms/local';
import type { KubeConfig } from '@kubernetes/client-node';
import { EXIT, Exit } from './exit.ts';

/** The API server refused the request. */
export class Refused extends Exit {}

/** A client of a cluster's API server, which maps refusals to exit codes. */
export class Cluster {
  readonly #client: KubernetesClient;
  readonly #server: string;

  constructor(config: KubeConfig) {
    this.#client = new KubernetesClient(config);
    this.#server = config.getCurrentCluster()?.server ?? 'the cluster';
  }

  /** @param path of the object. */
  async annotate(path: string, annotation: string, value: string): Promise<void> {
    await this.ask((client) =>
      client.request('PATCH', path, {
        query: { fieldManager: FIELD_MANAGER },
        contentType: PATCH.merge,
        body: { metadata: { annotations: { [annotation]: value } } },
      }),
    );
  }

  /** @throws Exit with the server's message, and `notFound` for 404. */
  async ask<T>(question: (client: KubernetesClient) => Promise<T>): Promise<T> {
    try {
      return await question(this.#client);
    } catch (error) {
      if (!(error instanceof KubernetesError))
        throw new Exit(
          EXIT.failure,
          `${this.#server} can't be reached (${sentence(error)}): is the platform up? hmsctl status shows it.`,
        );
      throw refusal(error, this.#server);
    }
  }
}

function refusal({ status, reason, message }: KubernetesError, server: string): Exit {
  if (status === 401)
    return new Exit(
      EXIT.failure,
      `${server} refuses the credentials of the kubeconfig: log in again, or name another one.`,
    );
  // A missing object has the reason NotFound. An undefined kind is an unknown path.
  if (status === 404 && reason !== 'NotFound')
    return new Exit(EXIT.failure, `${server} has no hospitals: install the platform there with hmsctl install.`);
  return new Refused(status === 404 ? EXIT.notFound : EXIT.failure, message);
}
