import { Agent, request } from 'undici';

export interface LoadResult {
  readonly requests: number;
  readonly created: number;
  /** Unexpected responses: neither 200 nor, for a POST, 201. */
  readonly failures: readonly string[];
}

/**
 * A steady load on kept-alive connections, until it is stopped: lists, and every fourth request a creation, which no
 * proxy may retry.
 * @param entry what is created
 */
export function load(
  url: string,
  headers: Readonly<Record<string, string>>,
  entry: object,
  clients = 4,
): () => Promise<LoadResult> {
  const dispatcher = new Agent({ connections: clients });
  const failures: string[] = [];
  const options = { dispatcher, headersTimeout: 20_000 };
  const creation = {
    ...options,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(entry),
  };
  let requests = 0;
  let created = 0;
  let running = true;
  const client = async () => {
    while (running) {
      requests += 1;
      const isCreation = requests % 4 === 0;
      try {
        const { statusCode, body } = await request(url, isCreation ? creation : { ...options, headers });
        const text = await body.text();
        if (statusCode === 201) created += 1;
        if (statusCode !== (isCreation ? 201 : 200))
          failures.push(`${new Date().toISOString()} ${statusCode} ${text.slice(0, 200)}`);
      } catch (error) {
        failures.push(`${new Date().toISOString()} ${error}`);
      }
      // About fifty requests a second per client: a steady load, not a flood.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const all = Promise.all(Array.from({ length: clients }, client));
  return async () => {
    running = false;
    await all;
    await dispatcher.close();
    return { requests, created, failures };
  };
}
