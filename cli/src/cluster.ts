import { applyManifest, KubernetesClient, KubernetesError, PATCH } from '@hms/kubernetes';
import { FIELD_MANAGER, type Manifest, sentence } from '@hms/local';
import type { KubeConfig } from '@kubernetes/client-node';
import { unknownFields } from './definition.ts';
import { EXIT, Exit } from './exit.ts';

/** The API server refused the request. */
export class Refused extends Exit {}

/** Somebody else changed the object since it was read. */
export class Conflict extends Refused {}

interface WriteOptions {
  /** The server validates the request and answers as usual, but changes nothing. */
  readonly dryRun?: boolean | undefined;
  /** Name under which the fields are owned. */
  readonly manager?: string;
}

interface ApplyOptions extends WriteOptions {
  /** Whether fields are removed that kubectl has applied and that the manifest no longer has. */
  readonly isWhole?: boolean;
}

/** A client of a cluster's API server, which maps refusals to exit codes. */
export class Cluster {
  readonly server: string;
  readonly #client: KubernetesClient;

  constructor(config: KubeConfig) {
    this.#client = new KubernetesClient(config);
    this.server = config.getCurrentCluster()?.server ?? 'the cluster';
  }

  /** @param path of the object. */
  async annotate(path: string, annotation: string, value: string, options: WriteOptions = {}): Promise<void> {
    await this.merge(path, { metadata: { annotations: { [annotation]: value } } }, options);
  }

  /**
   * Merges a change into an object. A field that the API server does not know is refused, never dropped.
   * @param path of the object. @returns the object after the change.
   */
  merge<T>(path: string, body: unknown, { dryRun = false, manager = FIELD_MANAGER }: WriteOptions = {}): Promise<T> {
    return this.ask((client) =>
      client.request<T>('PATCH', path, {
        query: { fieldManager: manager, fieldValidation: 'Strict', ...(dryRun ? { dryRun: 'All' } : {}) },
        contentType: PATCH.merge,
        body,
      }),
    );
  }

  /** Server-side apply of a manifest. @returns the object after the change. */
  apply<T>(
    manifest: Manifest,
    { dryRun = false, isWhole = false, manager = FIELD_MANAGER }: ApplyOptions = {},
  ): Promise<T> {
    return this.ask((client) => applyManifest<T>(client, manifest, manager, { dryRun, isWhole }));
  }

  /** @returns undefined if there is no such object. */
  async find<T>(path: string): Promise<T | undefined> {
    try {
      return await this.ask((client) => client.request<T>('GET', path));
    } catch (error) {
      if (error instanceof Exit && error.code === EXIT.notFound) return undefined;
      throw error;
    }
  }

  /** @throws Exit with the server's message, and `notFound` for 404. */
  async ask<T>(question: (client: KubernetesClient) => Promise<T>): Promise<T> {
    try {
      return await question(this.#client);
    } catch (error) {
      if (error instanceof Exit) throw error;
      if (!(error instanceof KubernetesError))
        throw new Exit(
          EXIT.failure,
          `${this.server} can't be reached (${sentence(error)}): is the platform up? hmsctl status shows it.`,
        );
      throw await this.#refusal(error);
    }
  }

  async #refusal({ status, reason, message }: KubernetesError): Promise<Exit> {
    if (status === 401)
      return new Exit(
        EXIT.notLoggedIn,
        `${this.server} refuses the credentials of the kubeconfig, which may have expired: log in to the cluster again, or name another kubeconfig.`,
      );
    // A missing object has the reason NotFound. An undefined kind is an unknown path.
    if (status === 404 && reason !== 'NotFound') return new Exit(EXIT.failure, await this.#missingKind());
    if (status === 503)
      return new Exit(
        EXIT.failure,
        `${this.server} is starting or overloaded (503: ${message.trim()}): try again in a moment.`,
      );
    if (status === 409) return new Conflict(EXIT.failure, message);
    return new Refused(status === 404 ? EXIT.notFound : EXIT.failure, unknownFields(message) ?? message);
  }

  /** Why the server has no hospitals that this hmsctl knows. */
  async #missingKind(): Promise<string> {
    const group = await this.#client
      .request<{ versions?: readonly { readonly version: string }[] }>('GET', '/apis/hms.dev')
      .catch(() => undefined);
    const versions = group?.versions?.map(({ version }) => version) ?? [];
    return versions.length > 0
      ? `this platform is of another version: ${this.server} serves hms.dev/${versions.join(', ')}, and this hmsctl knows hms.dev/v1. Use the hmsctl of that release.`
      : `${this.server} has no hospitals: install the platform there with hmsctl install.`;
  }
}
