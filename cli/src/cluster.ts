import { KubernetesClient, KubernetesError } from '@hms/kubernetes';
import { sentence } from '@hms/local';
import type { KubeConfig } from '@kubernetes/client-node';
import { EXIT, Exit } from './exit.ts';

/** A cluster's API server, whose refusals become exit codes. */
export class Cluster {
  readonly #client: KubernetesClient;
  readonly #server: string;

  constructor(config: KubeConfig) {
    this.#client = new KubernetesClient(config);
    this.#server = config.getCurrentCluster()?.server ?? 'the cluster';
  }

  /** @throws Exit with the server's sentence; `notFound` for 404. */
  async ask<T>(question: (client: KubernetesClient) => Promise<T>): Promise<T> {
    try {
      return await question(this.#client);
    } catch (error) {
      if (!(error instanceof KubernetesError))
        throw new Exit(
          EXIT.failure,
          `${this.#server} can't be reached (${sentence(error)}): is the platform up? hmsctl status shows it.`,
        );
      throw new Exit(error.status === 404 ? EXIT.notFound : EXIT.failure, error.message);
    }
  }
}
