import { fetch } from 'undici';
import type { Calls } from '../calls.ts';
import { BackendError, type ErrorKind, isConnectionError, retryAfterMs, unreachable } from '../errors.ts';
import { COLLECTIONS, type Collection, type Entity } from './entities.ts';
import { type Schema, type Schemas, schemaOf, schemaPaths } from './schemas.ts';

/** An entity as Kong returns it. */
export interface KongEntity extends Readonly<Record<string, unknown>> {
  readonly id: string;
}

/** Path of a collection below its parent. */
const NESTED: Partial<Record<Collection, (parent: string) => string>> = {
  targets: (upstream) => `/upstreams/${upstream}/targets`,
  jwts: (consumer) => `/consumers/${consumer}/jwt`,
  acls: (consumer) => `/consumers/${consumer}/acls`,
};

const TIMEOUT_MS = 15_000;
const PAGE_SIZE = 1000;
/** A gateway that is upgraded while the operator runs publishes other schemas. */
const SCHEMAS_KEPT_MS = 600_000;

/** Kong's Admin API, 3.9. */
export class Kong {
  readonly #url: string;
  readonly #calls: Calls;
  readonly #schemas = new Map<string, { readonly since: number; readonly schema: Promise<Schema> }>();

  constructor(adminUrl: string, calls: Calls) {
    this.#url = adminUrl;
    this.#calls = calls;
  }

  /** Reads the gateway's own state. @throws if it does not answer. */
  ping(): Promise<void> {
    return this.#calls.ping((signal) => this.#send('GET', '/status', undefined, signal));
  }

  /** All entities with a tag, of the collections whose entities have tags. */
  async listTagged(
    tag: string,
    collections: readonly Collection[] = COLLECTIONS,
  ): Promise<Map<Collection, KongEntity[]>> {
    const found = await Promise.all(
      collections
        .filter((collection) => collection !== 'targets')
        .map(
          async (collection) => [collection, await this.#list(`/${collection}?tags=${tag}&size=${PAGE_SIZE}`)] as const,
        ),
    );
    return new Map(found);
  }

  /** All entities of a collection, whoever created them. Empty if this gateway has no such collection. */
  async listAll(collection: string): Promise<KongEntity[]> {
    try {
      return await this.#list(`/${collection}?size=${PAGE_SIZE}`);
    } catch (error) {
      if (error instanceof BackendError && error.kind === 'NotFound') return [];
      throw error;
    }
  }

  /** The schemas with the defaults of fields that are not sent. Cached for some minutes. */
  async schemasFor(entities: readonly Entity[]): Promise<Schemas> {
    const read = schemaPaths(entities).map(async (path) => [path, await this.#schema(path)] as const);
    return new Map(await Promise.all(read));
  }

  /** Targets of an upstream. Empty if there is no such upstream. */
  async listTargets(upstream: string): Promise<KongEntity[]> {
    try {
      return await this.#list(`/upstreams/${upstream}/targets?size=${PAGE_SIZE}`);
    } catch (error) {
      if (error instanceof BackendError && error.kind === 'NotFound') return [];
      throw error;
    }
  }

  /** Health of each target of an upstream, such as `HEALTHY` or `UNHEALTHY`, as the gateway's checks found it. */
  async healthOf(upstream: string): Promise<readonly string[]> {
    const targets = await this.#list(`/upstreams/${upstream}/health`);
    return targets.map(({ health }) => String(health));
  }

  /** The consumer with that username, whoever created it. */
  async findConsumer(username: string): Promise<KongEntity | undefined> {
    try {
      return (await this.#request('GET', `/consumers/${username}`)) as KongEntity;
    } catch (error) {
      if (error instanceof BackendError && error.kind === 'NotFound') return undefined;
      throw error;
    }
  }

  /** Creates or replaces the entity. */
  async put(entity: Entity): Promise<void> {
    // A PUT of a missing target answers 404, unlike for every other entity.
    if (entity.collection === 'targets') {
      await this.#request('DELETE', this.#path(entity)).catch(ignoreMissing);
      await this.#request('POST', this.#folder(entity), { ...entity.body, id: entity.id });
      return;
    }
    await this.#request('PUT', this.#path(entity), entity.body);
  }

  /** Deletes the entity. A missing one is ignored. */
  async delete(entity: Pick<Entity, 'collection' | 'id' | 'parent'>): Promise<void> {
    await this.#request('DELETE', this.#path(entity)).catch(ignoreMissing);
  }

  /** Deletes the entity at a path of the Admin API. A missing one is ignored. */
  async deleteAt(path: string): Promise<void> {
    await this.#request('DELETE', path).catch(ignoreMissing);
  }

  #schema(path: string): Promise<Schema> {
    const cached = this.#schemas.get(path);
    if (cached && performance.now() - cached.since < SCHEMAS_KEPT_MS) return cached.schema;
    const schema = this.#request('GET', `/schemas/${path}`).then(schemaOf);
    this.#schemas.set(path, { since: performance.now(), schema });
    schema.catch(() => this.#schemas.delete(path));
    return schema;
  }

  #folder({ collection, parent }: Pick<Entity, 'collection' | 'parent'>): string {
    return (parent && NESTED[collection]?.(parent)) || `/${collection}`;
  }

  #path(entity: Pick<Entity, 'collection' | 'id' | 'parent'>): string {
    return `${this.#folder(entity)}/${entity.id}`;
  }

  async #list(path: string): Promise<KongEntity[]> {
    const entities: KongEntity[] = [];
    for (let next: string | null | undefined = path; next; ) {
      const page = (await this.#request('GET', next)) as Page;
      entities.push(...page.data);
      next = page.next;
    }
    return entities;
  }

  #request(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.#calls.run(method.toLowerCase(), () => this.#send(method, path, body));
  }

  async #send(method: string, path: string, body: unknown, signal = AbortSignal.timeout(TIMEOUT_MS)): Promise<unknown> {
    const response = await fetch(this.#url + path, {
      method,
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    }).catch((error: unknown) => {
      throw isConnectionError(error) ? unreachable('the gateway', this.#url, error) : error;
    });
    const text = await response.text();
    if (!response.ok)
      throw refusal(method, path, response.status, text, retryAfterMs(response.headers.get('retry-after')));
    return text ? JSON.parse(text) : undefined;
  }
}

interface Page {
  readonly data: readonly KongEntity[];
  readonly next: string | null;
}

function refusal(method: string, path: string, status: number, text: string, wait: number | undefined): BackendError {
  let answer: { readonly name?: string; readonly message?: string } = {};
  try {
    answer = JSON.parse(text) as typeof answer;
  } catch {
    // A gateway that starts or stops may answer with other content than JSON.
  }
  const { name, message = text } = answer;
  if (name === 'foreign key violation' && method !== 'DELETE')
    return new BackendError('NotFound', `the gateway lacks what ${path} refers to: ${message}`, undefined, wait);
  const sentence = `the gateway answered ${status} to ${method} ${path}: ${message}`;
  return new BackendError(kindOf(status), sentence, undefined, wait);
}

function kindOf(status: number): ErrorKind {
  if (status === 404) return 'NotFound';
  if (status === 409) return 'Conflict';
  if (status === 401 || status === 403) return 'Forbidden';
  return status === 429 || status >= 500 ? 'Unavailable' : 'Invalid';
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof BackendError && error.kind === 'NotFound')) throw error;
}
