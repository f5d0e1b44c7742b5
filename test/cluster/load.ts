import { Agent, request } from 'undici';

export interface LoadResult {
  readonly requests: number;
  /** What was not a 200, in words. */
  readonly failures: readonly string[];
}

/** A steady load of GETs on kept connections, until it is stopped. */
export function load(url: string, headers: Readonly<Record<string, string>>, clients = 4): () => Promise<LoadResult> {
  const dispatcher = new Agent({ connections: clients });
  const failures: string[] = [];
  let requests = 0;
  let running = true;
  const client = async () => {
    while (running) {
      requests += 1;
      try {
        const { statusCode, body } = await request(url, { headers, dispatcher, headersTimeout: 20_000 });
        const text = await body.text();
        if (statusCode !== 200) failures.push(`${new Date().toISOString()} ${statusCode} ${text.slice(0, 200)}`);
      } catch (error) {
        failures.push(`${new Date().toISOString()} ${error}`);
      }
      // About fifty requests a second of each client: a steady load, not a flood.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const all = Promise.all(Array.from({ length: clients }, client));
  return async () => {
    running = false;
    await all;
    await dispatcher.close();
    return { requests, failures };
  };
}
