import http from 'node:http';
import https from 'node:https';
import { HeadBucketCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { Calls } from '../calls.ts';
import { BackendError, type ErrorKind, isConnectionError, retryAfterMs, unreachable } from '../errors.ts';

export interface S3Settings {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The bucket that holds a folder for each hospital. */
export class Bucket {
  readonly name: string;
  readonly #client: S3Client;
  readonly #endpoint: string;
  readonly #calls: Calls;

  constructor(settings: S3Settings, calls: Calls) {
    this.#calls = calls;
    this.name = settings.bucket;
    this.#endpoint = settings.endpoint;
    this.#client = new S3Client({
      endpoint: settings.endpoint,
      region: settings.region,
      forcePathStyle: true,
      maxAttempts: 1,
      // Without the last option, the client only logs a slow request and waits forever.
      requestHandler: {
        connectionTimeout: 5_000,
        requestTimeout: 10_000,
        throwOnRequestTimeout: true,
        httpAgent: fenced(new http.Agent({ keepAlive: true }), 'connect', calls),
        httpsAgent: fenced(new https.Agent({ keepAlive: true }), 'secureConnect', calls),
      },
      credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    });
    this.#client.middlewareStack.add(
      (next) => (args) => {
        calls.fence();
        return next(args);
      },
      // The last step before the request is sent: signing takes a moment, in which the process can be frozen.
      { step: 'deserialize', priority: 'low', name: 'fence' },
    );
  }

  /**
   * Runs `work` with the client. The reconcile does the retries.
   * @param op the operation, for the metrics.
   * @throws BackendError with the server's message.
   */
  call<T>(op: string, work: (s3: S3Client) => Promise<T>): Promise<T> {
    return this.#calls.run(op, async () => {
      try {
        return await work(this.#client);
      } catch (error) {
        throw this.#explain(error);
      }
    });
  }

  /** Checks the bucket. @throws if the server does not answer. A refusal is an answer. */
  ping(): Promise<void> {
    return this.#calls.ping(async (abortSignal) => {
      try {
        await this.#client.send(new HeadBucketCommand({ Bucket: this.name }), { abortSignal });
      } catch (error) {
        const refused = error instanceof S3ServiceException && (error.$metadata.httpStatusCode ?? 500) < 500;
        if (!refused) throw this.#explain(error);
      }
    });
  }

  #explain(error: unknown): unknown {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode !== undefined) {
      const status = error.$metadata.httpStatusCode;
      const sentence = `the S3 server answered ${status} ${error.name}: ${error.message}`;
      return new BackendError(
        kindOf(status, error.name),
        sentence,
        error,
        retryAfterMs(error.$response?.headers['retry-after']),
      );
    }
    return isConnectionError(error) ? unreachable('the S3 server', this.#endpoint, error) : error;
  }
}

/** A new connection takes a moment too, and then sends the request that waits for it. */
function fenced<Agent extends http.Agent>(agent: Agent, connected: string, calls: Calls): Agent {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const socket = connect(options, callback);
    // Before the listeners that send: a destroyed socket sends nothing.
    socket?.prependOnceListener(connected, () => {
      try {
        calls.fence();
      } catch (error) {
        socket.destroy(error as Error);
      }
    });
    return socket;
  };
  return agent;
}

function kindOf(status: number, name: string): ErrorKind {
  if (status === 404) return 'NotFound';
  if (status === 403) return 'Forbidden';
  if (name === 'BucketAlreadyExists') return 'Conflict';
  // Any other 409 comes from concurrent writers, one of which may be an earlier request of the operator.
  return status === 409 || status === 429 || status >= 500 ? 'Unavailable' : 'Invalid';
}
