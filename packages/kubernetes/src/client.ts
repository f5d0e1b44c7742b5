import { HttpMethod, type KubeConfig, RequestContext } from '@kubernetes/client-node';
import { fetch, type Response } from 'undici';

/** The common fields of all API objects that are used here. */
export interface KubernetesObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly generation?: number;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly string[];
    readonly annotations?: Readonly<Record<string, string>>;
    /** The managers of fields, with the time of their last write. */
    readonly managedFields?: readonly {
      readonly manager?: string;
      readonly operation?: string;
      readonly subresource?: string;
      readonly time?: string;
      readonly fieldsV1?: {
        readonly 'f:spec'?: unknown;
        readonly 'f:metadata'?: { readonly 'f:annotations'?: Readonly<Record<string, unknown>> };
      };
    }[];
  };
}

/** Content types of PATCH. */
export const PATCH = {
  merge: 'application/merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
}

export interface WatchOptions extends RequestOptions {
  /** Called when the server has accepted the watch. */
  readonly onOpen?: () => void;
}

/** A field that the API server refuses. */
export interface RefusedField {
  /** Path, such as `spec.timezone`. */
  readonly field: string;
  /** With the refused value before the sentence: `Invalid value: "string": …`. */
  readonly message: string;
}

/** The API server refused a request. */
export class KubernetesError extends Error {
  override readonly name = 'KubernetesError';
  readonly status: number;
  /** The `reason` of the Status object, such as `NotFound`, `Conflict`, `Expired`. */
  readonly reason: string;
  /** For an object that is not valid. */
  readonly fields: readonly RefusedField[];

  constructor(status: number, reason: string, message: string, fields: readonly RefusedField[] = []) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.fields = fields;
  }
}

const REQUEST_TIMEOUT_MS = 30_000;

/**
 * Requests to the API server with the kubeconfig's address, certificates and credentials.
 * The library's generated client has neither raw paths nor streams with a custom timeout, and sends each PATCH
 * as a JSON patch by default.
 */
export class KubernetesClient {
  readonly #config: KubeConfig;

  constructor(config: KubeConfig) {
    this.#config = config;
  }

  /**
   * @returns the decoded response.
   * @throws KubernetesError for a response that is not 2xx, or TypeError if the server can't be reached.
   */
  async request<T>(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, options: RequestOptions = {}) {
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    const response = await this.#fetch(method, path, { ...options, signal });
    return (await response.json()) as T;
  }

  /**
   * Opens a watch.
   * @returns each decoded line of the response, until the server ends it or `signal` is aborted.
   */
  async *watch(path: string, { onOpen, ...options }: WatchOptions): AsyncGenerator<unknown, void, undefined> {
    const response = await this.#fetch('GET', path, { ...options, query: { ...options.query, watch: true } });
    onOpen?.();
    if (!response.body) return;
    const decoder = new TextDecoder();
    let incomplete = '';
    for await (const chunk of response.body) {
      const lines = (incomplete + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
      incomplete = lines.pop() ?? '';
      for (const line of lines) if (line) yield JSON.parse(line);
    }
  }

  async #fetch(method: string, path: string, options: RequestOptions): Promise<Response> {
    const cluster = this.#config.getCurrentCluster();
    if (!cluster) throw new Error('the kubeconfig has no current context: set one with kubectl config use-context');
    const url = new URL(cluster.server + path);
    for (const [key, value] of Object.entries(options.query ?? {})) {
      if (value !== undefined) url.searchParams.set(key, String(value));
    }
    const context = new RequestContext(url.href, HttpMethod.GET);
    await this.#config.applySecurityAuthentication(context);
    const dispatcher = context.getDispatcher();
    const response = await fetch(url, {
      method,
      headers: {
        ...context.getHeaders(),
        accept: 'application/json',
        ...(options.body === undefined ? {} : { 'content-type': options.contentType ?? 'application/json' }),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      ...(options.signal ? { signal: options.signal } : {}),
      ...(dispatcher ? { dispatcher } : {}),
    });
    if (!response.ok) throw await refusal(response);
    return response;
  }
}

async function refusal(response: Response): Promise<KubernetesError> {
  const text = await response.text();
  try {
    const { reason = 'Unknown', message = text.slice(0, 500), details } = JSON.parse(text) as RefusalBody;
    const fields = (details?.causes ?? []).flatMap(({ field, message: cause }) =>
      field === undefined || cause === undefined ? [] : [{ field, message: cause }],
    );
    return new KubernetesError(response.status, reason, message, fields);
  } catch {
    return new KubernetesError(response.status, 'Unknown', text.slice(0, 500));
  }
}

/** The parts of a Status object that are used here. */
interface RefusalBody {
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message?: string }[] };
}
