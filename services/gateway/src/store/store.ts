import { randomUUID } from 'node:crypto';
import { isKind, type Kind, kinds, type Rows, schemas } from '../entities/index.ts';
import type { ForeignField } from '../schema/field.ts';
import { isRecord, UUID } from '../schema/validate.ts';
import { Collection, foreignId } from './collection.ts';
import { complete, merge } from './complete.ts';
import * as errors from './errors.ts';
import { type Change, Journal, type Stored } from './journal.ts';

type Input = Readonly<Record<string, unknown>>;

/** How an entity is named in a path: by its id, or by its kind's key. */
export type Reference = { readonly id: string } | { readonly field: string; readonly value: string };

export interface StoreOptions {
  /** Told when the journal could not be compacted; nothing is lost by that. */
  readonly warn: (error: unknown) => void;
  /** How long what was deleted or replaced may stay in the file, in ms. */
  readonly forgetAfterMs?: number;
}

/**
 * The configuration: validated, unique, with its links intact, and durable. Writes go one after the other; each is on
 * the disk before it can be seen, and seen as soon as it is answered. What was deleted or replaced is in the file for
 * ten minutes at the most, and no longer than the store is open.
 */
export class Store {
  readonly #journal: Journal;
  readonly #warn: (error: unknown) => void;
  readonly #collections: { readonly [K in Kind]: Collection<Stored> };
  readonly #forgetAfterMs: number;
  #lastWrite: Promise<unknown> = Promise.resolve();
  /** Set while the file holds more than the present rows. */
  #forgetting: NodeJS.Timeout | undefined;

  private constructor(journal: Journal, changes: readonly Change[], { warn, forgetAfterMs }: StoreOptions) {
    this.#journal = journal;
    this.#warn = warn;
    this.#forgetAfterMs = forgetAfterMs ?? FORGET_AFTER_MS;
    this.#collections = Object.fromEntries(kinds.map((kind) => [kind, new Collection(schemas[kind])])) as {
      [K in Kind]: Collection<Stored>;
    };
    for (const change of changes) this.#apply(change);
  }

  static async open(folder: string, options: StoreOptions): Promise<Store> {
    const { journal, changes } = await Journal.open(folder);
    const store = new Store(journal, changes, options);
    const present = [...store.#everything()].length;
    // A crash has kept it from forgetting.
    if (changes.length > present) await store.#compact();
    return store;
  }

  async close(): Promise<void> {
    await this.#lastWrite;
    if (this.#forgetting) await this.#compact();
    clearTimeout(this.#forgetting);
    await this.#journal.close();
  }

  all<K extends Kind>(kind: K): readonly Rows[K][] {
    return this.#collections[kind].all() as unknown as readonly Rows[K][];
  }

  get<K extends Kind>(kind: K, id: string): Rows[K] | undefined {
    return this.#collections[kind].get(id) as unknown as Rows[K] | undefined;
  }

  find(kind: Kind, reference: Reference): Stored | undefined {
    const collection = this.#collections[kind];
    return 'id' in reference ? collection.get(reference.id) : collection.findBy(reference.field, reference.value);
  }

  childrenOf<K extends Kind>(kind: K, field: string, parentId: string): Rows[K][] {
    return this.#collections[kind].childrenOf(field, parentId) as unknown as Rows[K][];
  }

  /** Changes when any row of these kinds changes. */
  version(of: readonly Kind[]): number {
    return of.reduce((sum, kind) => sum + this.#collections[kind].version, 0);
  }

  insert(kind: Kind, input: Input): Promise<Stored> {
    return this.#write(() => {
      const row = this.#complete(kind, { ...input, id: input.id ?? randomUUID() }, undefined);
      if (this.#collections[kind].get(row.id)) throw errors.primaryKeyViolation(row.id);
      return this.#putting(kind, row);
    });
  }

  /** Creates the entity, or replaces it in full: what is not sent returns to its default. */
  upsert(kind: Kind, reference: Reference, input: Input): Promise<Stored> {
    return this.#write(() => {
      const existing = this.find(kind, reference);
      const id = 'id' in reference ? reference.id : (existing?.id ?? randomUUID());
      const named = 'id' in reference ? {} : { [reference.field]: reference.value };
      return this.#putting(kind, this.#complete(kind, { ...input, ...named, id }, undefined));
    });
  }

  /** Merges into the entity: records deeply, lists as a whole; null clears. */
  update(kind: Kind, reference: Reference, input: Input): Promise<Stored> {
    return this.#write(() => {
      const existing = this.find(kind, reference);
      if (!existing)
        throw errors.entityNotFound('id' in reference ? reference : { [reference.field]: reference.value });
      return this.#putting(kind, this.#complete(kind, merge(schemas[kind], existing, input), existing));
    });
  }

  /** Deletes the entity with what goes with it; answers whether there was one. */
  remove(kind: Kind, reference: Reference): Promise<boolean> {
    return this.#write(() => {
      const existing = this.find(kind, reference);
      return existing ? { changes: this.#removal(kind, existing.id), result: true } : { changes: [], result: false };
    });
  }

  async #write<T>(prepare: () => { changes: readonly Change[]; result: T }): Promise<T> {
    const write = this.#lastWrite.then(async () => {
      const { changes, result } = prepare();
      if (changes.length === 0) return result;
      const outdates = changes.some((change) => this.#outdates(change));
      await this.#journal.append(changes);
      for (const change of changes) this.#apply(change);
      if (this.#journal.isLarge) await this.#compact();
      else if (outdates) this.#forgetLater();
      return result;
    });
    this.#lastWrite = write.catch(() => undefined);
    return write;
  }

  #outdates(change: Change): boolean {
    return 'delete' in change || this.#collections[change.put].get(change.row.id) !== undefined;
  }

  #forgetLater(): void {
    this.#forgetting ??= setTimeout(() => {
      this.#lastWrite = this.#lastWrite.then(() => this.#compact());
    }, this.#forgetAfterMs).unref();
  }

  async #compact(): Promise<void> {
    clearTimeout(this.#forgetting);
    this.#forgetting = undefined;
    await this.#journal.compact(this.#everything()).catch((error: unknown) => {
      this.#warn(error);
      this.#forgetLater();
    });
  }

  #complete(kind: Kind, input: Input, existing: Stored | undefined): Stored {
    return complete(schemas[kind], this.#resolveNames(kind, input), existing);
  }

  #putting(kind: Kind, row: Stored): { changes: readonly Change[]; result: Stored } {
    for (const [field, { reference }] of foreignFields(kind)) {
      const parentId = foreignId(row[field]);
      if (parentId !== undefined && !(isKind(reference) && this.#collections[reference].get(parentId))) {
        throw errors.invalidReference(field, parentId, reference);
      }
    }
    const conflict = this.#collections[kind].conflict(row);
    if (conflict) throw errors.uniqueViolation(conflict);
    return { changes: [{ put: kind, row }], result: row };
  }

  /** A link may be given by name: `service: {name: "x"}`. */
  #resolveNames(kind: Kind, input: Input): Input {
    const resolved: Record<string, unknown> = { ...input };
    for (const [field, { reference }] of foreignFields(kind)) {
      const link = input[field];
      const key = isKind(reference) ? schemas[reference].key : undefined;
      if (!isRecord(link) || 'id' in link || !isKind(reference) || key === undefined) continue;
      const value = link[key];
      if (typeof value !== 'string') continue;
      const parent = this.#collections[reference].findBy(key, value);
      if (!parent) throw errors.foreignKeyUnresolved(field, key, value, reference);
      resolved[field] = { id: parent.id };
    }
    return resolved;
  }

  #removal(kind: Kind, id: string): Change[] {
    const cascade: Change[] = [];
    for (const child of kinds) {
      for (const [field, { reference, onDelete }] of foreignFields(child)) {
        if (reference !== kind) continue;
        const children = this.#collections[child].childrenOf(field, id);
        if (children.length > 0 && onDelete !== 'cascade') throw errors.stillReferenced(kind, child);
        for (const row of children) cascade.push(...this.#removal(child, row.id));
      }
    }
    return [...cascade, { delete: kind, id }];
  }

  #apply(change: Change): void {
    if ('put' in change) this.#collections[change.put].put(change.row);
    else this.#collections[change.delete].delete(change.id);
  }

  *#everything(): Iterable<readonly [Kind, Stored]> {
    for (const kind of kinds) for (const row of this.#collections[kind].all()) yield [kind, row];
  }
}

/** A lower-case UUID is an id; anything else is the kind's key, where that is unique. */
export function referenceTo(kind: Kind, text: string): Reference {
  const { key, fields } = schemas[kind];
  const field = key === undefined ? undefined : fields[key];
  const isUnique = field?.type === 'string' && field.unique === true;
  return UUID.test(text) || key === undefined || !isUnique ? { id: text } : { field: key, value: text };
}

function foreignFields(kind: Kind): readonly (readonly [string, ForeignField])[] {
  return Object.entries(schemas[kind].fields).flatMap(([name, field]) =>
    field.type === 'foreign' ? [[name, field] as const] : [],
  );
}

const FORGET_AFTER_MS = 10 * 60_000;
