import { randomUUID } from 'node:crypto';
import { isKind, type Kind, kinds, type Rows, schemas } from '../entities/index.ts';
import type { Field, ForeignField } from '../schema/field.ts';
import { isRecord, type RecordErrors, UUID, validateField } from '../schema/validate.ts';
import { Collection, foreignId } from './collection.ts';
import { complete, merge } from './complete.ts';
import * as errors from './errors.ts';
import type { Change, Holder, Journal, OpenJournal, Stored } from './journal.ts';

type Input = Readonly<Record<string, unknown>>;

/** How an entity is named in a path: by its id, or by its kind's key. */
export type Reference = { readonly id: string } | { readonly field: string; readonly value: string };

/**
 * The configuration: validated, unique, with its links intact, and durable. Writes are serialised. Each is in
 * the journal before it is visible, and visible as soon as it is acknowledged.
 */
export class Store {
  readonly #collections = Object.fromEntries(kinds.map((kind) => [kind, new Collection(schemas[kind])])) as {
    readonly [K in Kind]: Collection<Stored>;
  };
  #journal: Journal | undefined;
  #lastCall: Promise<unknown> = Promise.resolve();

  private constructor() {
    // Created and filled by `open`.
  }

  static async open(openJournal: OpenJournal): Promise<Store> {
    const store = new Store();
    store.#journal = await openJournal(store.#holder());
    return store;
  }

  /** Applies the changes of other gateways that share the configuration. */
  refresh(): Promise<void> {
    return this.#call((journal) => journal.refresh());
  }

  close(): Promise<void> {
    return this.#call((journal) => journal.close());
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

  /** Creates the entity, or replaces it completely: missing fields return to their defaults. */
  upsert(kind: Kind, reference: Reference, input: Input): Promise<Stored> {
    return this.#write(() => {
      const existing = this.find(kind, reference);
      const id = 'id' in reference ? reference.id : (existing?.id ?? randomUUID());
      const keyField = 'id' in reference ? {} : { [reference.field]: reference.value };
      return this.#putting(kind, this.#complete(kind, { ...input, ...keyField, id }, undefined));
    });
  }

  /** Merges into the entity: records deeply, lists are replaced, null clears. */
  update(kind: Kind, reference: Reference, input: Input): Promise<Stored> {
    return this.#write(() => {
      const existing = this.find(kind, reference);
      if (!existing)
        throw errors.entityNotFound('id' in reference ? reference : { [reference.field]: reference.value });
      return this.#putting(kind, this.#complete(kind, merge(schemas[kind], existing, input), existing));
    });
  }

  /** Deletes the entity with its dependents. Returns whether it existed. */
  remove(kind: Kind, reference: Reference): Promise<boolean> {
    return this.#write(() => {
      const existing = this.find(kind, reference);
      return existing ? { changes: this.#removal(kind, existing.id), result: true } : { changes: [], result: false };
    });
  }

  async #write<T>(prepare: () => { changes: readonly Change[]; result: T }): Promise<T> {
    let prepared: { result: T } | undefined;
    await this.#call((journal) =>
      journal.write(() => {
        const { changes, result } = prepare();
        prepared = { result };
        return changes;
      }),
    );
    if (!prepared) throw new Error('the journal has not prepared the write');
    return prepared.result;
  }

  #call(work: (journal: Journal) => Promise<void>): Promise<void> {
    const journal = this.#journal;
    if (!journal) throw new Error('the store is not open yet');
    const call = this.#lastCall.then(() => work(journal));
    this.#lastCall = call.catch(() => undefined);
    return call;
  }

  #holder(): Holder {
    const collections = this.#collections;
    return {
      apply(changes) {
        // A unique value may have moved from one entity to another: remove all rows first, then add them.
        for (const change of changes) {
          if ('put' in change) collections[change.put].delete(change.row.id);
          else collections[change.delete].delete(change.id);
        }
        for (const change of changes) if ('put' in change) collections[change.put].put(change.row);
      },
      replace(changes) {
        for (const kind of kinds) for (const { id } of collections[kind].all()) collections[kind].delete(id);
        this.apply(changes);
      },
      *rows() {
        for (const kind of kinds) for (const row of collections[kind].all()) yield [kind, row];
      },
      get: (kind, id) => collections[kind].get(id),
    };
  }

  #complete(kind: Kind, input: Input, existing: Stored | undefined): Stored {
    const links = this.#resolveNames(kind, input);
    const row = complete(schemas[kind], links.resolved, existing, links.errors);
    if (links.unresolved) throw links.unresolved;
    return row;
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

  /**
   * A link may name any unique field: `service: {name: "x"}`. A missing entity is reported only if
   * everything else is valid.
   */
  #resolveNames(kind: Kind, input: Input) {
    const resolved: Record<string, unknown> = { ...input };
    const linkErrors: RecordErrors = {};
    let unresolved: errors.AdminError | undefined;
    for (const [field, { reference }] of foreignFields(kind)) {
      const link = input[field];
      if (!isRecord(link) || (link.id !== undefined && link.id !== null) || !isKind(reference)) continue;
      for (const [name, unique] of uniqueFields(reference)) {
        const value = link[name];
        if (value === undefined || value === null) continue;
        const error = validateField(unique, value).errors;
        const parent = error === undefined ? this.#collections[reference].findBy(name, String(value)) : undefined;
        if (error !== undefined) linkErrors[field] = { [name]: error };
        else if (!parent) unresolved ??= errors.foreignKeyUnresolved(field, name, String(value), reference);
        resolved[field] = { id: parent?.id ?? NOBODY };
        break;
      }
    }
    return { resolved, errors: linkErrors, unresolved };
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
      for (const field of listsOf(child, kind)) {
        const holder = this.#collections[child].all().find((row) => asList(row[field]).includes(id));
        if (holder) throw errors.stillListed(kind, id, child, holder.id);
      }
    }
    return [...cascade, { delete: kind, id }];
  }
}

/** A lower-case UUID is an id. Anything else is the kind's key, if that is unique. */
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

/** The unique fields, except the id. */
function uniqueFields(kind: Kind): readonly (readonly [string, Field])[] {
  return Object.entries(schemas[kind].fields).filter(([, field]) => field.type === 'string' && field.unique === true);
}

/** A placeholder for the id of an unresolved link during validation. */
const NOBODY = '00000000-0000-4000-8000-000000000000';

/** The fields of one kind that list ids of another. */
function listsOf(kind: Kind, listed: Kind): string[] {
  return Object.entries(schemas[kind].fields).flatMap(([name, field]) =>
    field.type === 'array' && field.elements.type === 'string' && field.elements.lists === listed ? [name] : [],
  );
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
