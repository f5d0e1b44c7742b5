import type { EntitySchema } from '../entities/common.ts';
import type { Stored } from './journal.ts';

/** The rows of one kind in memory, with the indexes that its schema requires. */
export class Collection<T extends Stored = Stored> {
  readonly #rows = new Map<string, T>();
  readonly #unique: ReadonlyMap<string, Map<unknown, T>>;
  readonly #together: { readonly fields: readonly string[]; readonly index: Map<string, T> } | undefined;
  readonly #children = new Map<string, Map<string, Set<T>>>();
  #sorted: readonly T[] | undefined;
  /** Grows with each change, so that derived values know when they are stale. */
  version = 0;

  constructor(schema: EntitySchema) {
    const unique = Object.entries(schema.fields).filter(([, field]) => field.type === 'string' && field.unique);
    this.#unique = new Map(unique.map(([name]) => [name, new Map()]));
    this.#together = schema.uniqueTogether && { fields: schema.uniqueTogether, index: new Map() };
    for (const [name, field] of Object.entries(schema.fields)) {
      if (field.type === 'foreign') this.#children.set(name, new Map());
    }
  }

  get(id: string): T | undefined {
    return this.#rows.get(id);
  }

  /** All rows, ordered by id. */
  all(): readonly T[] {
    this.#sorted ??= [...this.#rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    return this.#sorted;
  }

  findBy(field: string, value: unknown): T | undefined {
    const index = this.#unique.get(field);
    return index ? index.get(value) : this.all().find((row) => row[field] === value);
  }

  /** Rows whose foreign field points to this id. */
  childrenOf(field: string, parentId: string): T[] {
    return [...(this.#children.get(field)?.get(parentId) ?? [])];
  }

  /** The unique fields whose values another row already has, with the values. */
  conflict(row: Stored): Record<string, unknown> | undefined {
    for (const [field, index] of this.#unique) {
      const value = row[field];
      const holder = value === null || value === undefined ? undefined : index.get(value);
      if (holder && holder.id !== row.id) return { [field]: value };
    }
    const holder = this.#together?.index.get(compound(this.#together.fields, row));
    if (!holder || holder.id === row.id) return undefined;
    return Object.fromEntries((this.#together?.fields ?? []).map((field) => [field, row[field]]));
  }

  put(row: T): void {
    this.delete(row.id);
    this.#rows.set(row.id, row);
    for (const [field, index] of this.#unique) {
      if (row[field] !== null && row[field] !== undefined) index.set(row[field], row);
    }
    this.#together?.index.set(compound(this.#together.fields, row), row);
    for (const [field, byParent] of this.#children) {
      const parentId = foreignId(row[field]);
      if (parentId === undefined) continue;
      const siblings = byParent.get(parentId) ?? new Set();
      byParent.set(parentId, siblings.add(row));
    }
    this.#changed();
  }

  delete(id: string): void {
    const row = this.#rows.get(id);
    if (!row) return;
    this.#rows.delete(id);
    for (const [field, index] of this.#unique) index.delete(row[field]);
    this.#together?.index.delete(compound(this.#together.fields, row));
    for (const [field, byParent] of this.#children) {
      const parentId = foreignId(row[field]);
      const siblings = parentId === undefined ? undefined : byParent.get(parentId);
      siblings?.delete(row);
      if (parentId !== undefined && siblings?.size === 0) byParent.delete(parentId);
    }
    this.#changed();
  }

  #changed(): void {
    this.#sorted = undefined;
    this.version += 1;
  }
}

/** The id in a foreign field's value. */
export function foreignId(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null && 'id' in value ? String(value.id) : undefined;
}

function compound(fields: readonly string[], row: Stored): string {
  return JSON.stringify(fields.map((field) => row[field] ?? null));
}
