/** The records of one table, in one transaction. Every change and every read of a person's record is audited. */
import { build } from '@hms/database';
import type { Knex } from 'knex';
import type { AuditAction } from '../audit/events.ts';
import { HOSPITAL_NOT_READY, INVALID_STATE, Problem } from '../errors.ts';
import { newId } from '../ids.ts';
import { readPage } from '../lists.ts';
import type { DataReply, PageMeta } from '../route.ts';
import { matchTerms, type Precision } from '../search.ts';
import { demandVersion } from '../version.ts';
import type { Work } from '../work.ts';
import type { Column, RecordDefinition, RecordQuery, Standard } from './record.ts';
import { hold, referencesIn } from './references.ts';
import { type Statements, statementsOf } from './statements.ts';

/** Values by field. Undefined ones are left out. */
type Values = Readonly<Record<string, unknown>>;
type Row = Readonly<Record<string, unknown>>;

interface Page {
  readonly rows: readonly Row[];
  readonly meta: PageMeta;
}

export function records<ItemType extends Standard, State extends string>(
  work: Work,
  record: RecordDefinition<ItemType, State>,
): Records<ItemType, State> {
  return new Records(work, record);
}

class Records<ItemType extends Standard, State extends string> {
  readonly #work: Work;
  readonly #record: RecordDefinition<ItemType, State>;
  readonly #statements: Statements;

  constructor(work: Work, record: RecordDefinition<ItemType, State>) {
    this.#work = work;
    this.#record = record;
    this.#statements = statementsOf(record, work.hospital.schemaVersion);
  }

  /**
   * One page. Whether the caller may see deleted records is the route's decision. A search that finds nothing finds words
   * with a typing error.
   */
  async list(query: RecordQuery): Promise<DataReply<ItemType[]>> {
    const exact = await this.#page(query, 'exact');
    const page = exact.meta.total === 0 && query.q !== undefined ? await this.#page(query, 'misspelt') : exact;
    const data = page.rows.map((row) => this.#show(row));
    if (this.#record.auditReads) {
      this.#audit('list', undefined, {
        details: { q: query.q, filters: query.filters, ids: data.map(({ id }) => id) },
      });
    }
    return { data, meta: page.meta };
  }

  /** The record, even if deleted. For decisions of the code: the audit log has no event. */
  async find(id: string): Promise<ItemType | undefined> {
    const [row] = await this.#work.trx.query<Row>(this.#statements.find, [id]);
    return row && this.#show(row);
  }

  /** The records with these ids, even deleted ones, in any order. The audit log has no event. */
  async byIds(ids: readonly string[]): Promise<ItemType[]> {
    if (ids.length === 0) return [];
    const rows = await this.#work.trx.query<Row>(this.#statements.byIds, [ids]);
    return rows.map((row) => this.#show(row));
  }

  /** The record, to be shown. @throws Problem <NAME>_NOT_FOUND also for a deleted one. */
  async read(id: string): Promise<ItemType> {
    const item = this.#present(await this.find(id));
    if (this.#record.auditReads) this.#audit('read', item);
    return item;
  }

  /**
   * Locks the record until the transaction ends, so that changes of one record are serialised.
   * @param version what the client has read, if it says so.
   * @throws Problem <NAME>_NOT_FOUND also for a deleted one, STALE_VERSION.
   */
  async lock(id: string, version?: number): Promise<ItemType> {
    const item = this.#present(await this.#locked(id));
    demandVersion(item, version);
    return item;
  }

  /** As `lock`, even if the record is deleted. */
  async lockAny(id: string, version?: number): Promise<ItemType> {
    const item = await this.#locked(id);
    if (!item) throw new Problem(this.#record.notFound);
    demandVersion(item, version);
    return item;
  }

  /** @param id default: a new one. A transaction that needs it in several statements chooses it itself. */
  async insert(values: Values, id = newId()): Promise<ItemType> {
    const fields = this.#writable(values);
    const references = referencesIn(this.#record.columns, values);
    // Nothing is awaited without need: statements of one transaction may be sent together, in their order.
    if (references.length > 0) await hold(this.#work, references);
    const { code } = this.#record;
    const letters = typeof code?.letters === 'function' ? code.letters(this.#work.hospital) : code?.letters;
    const text = this.#statements.insert(fields);
    const item = await this.#write(text, id, values, fields, letters === undefined ? [] : [letters]);
    this.#audit('create', item, { after: item });
    if (this.#record.live) this.#work.changed(this.#record.table, item.id);
    return item;
  }

  /** @param before the locked record. */
  update(before: ItemType, values: Values): Promise<ItemType> {
    return this.#change('update', before, values);
  }

  /** Marks a locked record as deleted. */
  remove(before: ItemType, values: Values = {}): Promise<ItemType> {
    return this.#change('delete', before, { ...values, deletedAt: true });
  }

  /** Takes back the deletion of a record. */
  restore(before: ItemType, values: Values = {}): Promise<ItemType> {
    return this.#change('restore', before, { ...values, deletedAt: false });
  }

  /**
   * Moves a locked record to another state.
   * @throws Problem INVALID_STATE if that state may not follow the current one.
   */
  moveTo(before: ItemType, to: State, values: Values = {}): Promise<ItemType> {
    const from = (before as { readonly status?: State }).status;
    const allowed = (from !== undefined && this.#record.states?.[from]) || [];
    if (!allowed.includes(to)) {
      throw new Problem(INVALID_STATE, {
        message: `The ${this.#record.name} is ${from}, and can't become ${to}`,
        details: { from, to, allowed },
      });
    }
    return this.#change('transition', before, { ...values, status: to });
  }

  async #change(action: AuditAction, before: ItemType, values: Values): Promise<ItemType> {
    const fields = this.#writable(values);
    const references = referencesIn(this.#record.columns, values, before as Row);
    if (references.length > 0) await hold(this.#work, references);
    const after = await this.#write(this.#statements.update(fields), before.id, values, fields);
    this.#audit(action, after, difference(before, after, fields));
    if (this.#record.live) this.#work.changed(this.#record.table, after.id);
    return after;
  }

  async #write(
    text: string,
    id: string,
    values: Values,
    fields: readonly string[],
    more: readonly string[] = [],
  ): Promise<ItemType> {
    const written = fields.map((field) => columnValue(values[field]));
    const [row] = await this.#work.trx.query<Row>(text, [id, this.#work.caller.sub, ...written, ...more]);
    if (!row) throw new Error(`${this.#record.table}: there is no row to write`);
    return this.#show(row);
  }

  /** @throws Problem HOSPITAL_NOT_READY for a value of a field that the hospital's schema lacks. */
  #writable(values: Values): string[] {
    const written = this.#record.columns.filter(({ field, writable }) => writable && values[field] !== undefined);
    const missing = written.filter((column) => !this.#statements.columns.includes(column));
    const lost = missing.find(({ field }) => values[field] !== null);
    if (lost) {
      throw new Problem(HOSPITAL_NOT_READY, {
        message: `The hospital is being upgraded and can't store ${lost.field} yet: retry in a few minutes`,
      });
    }
    return written.filter((column) => !missing.includes(column)).map(({ field }) => field);
  }

  async #locked(id: string): Promise<ItemType | undefined> {
    const [row] = await this.#work.trx.query<Row>(this.#statements.lock, [id]);
    return row && this.#show(row);
  }

  #show(row: Row): ItemType {
    return shownRow(this.#record.columns, row) as ItemType;
  }

  #present(item: ItemType | undefined): ItemType {
    if (!item || item.deletedAt !== undefined) throw new Problem(this.#record.notFound);
    return item;
  }

  #page(query: RecordQuery, precision: Precision): Promise<Page> {
    const { table, sort, filters, live, only, ownFilters } = this.#record;
    const rows: Knex.QueryBuilder = build.from(table).select(this.#statements.columns.map(({ column }) => column));
    rows.whereRaw(only);
    if (!query.includeDeleted) rows.whereNull('deleted_at');
    for (const [field, value] of Object.entries(query.filters)) {
      if (value !== undefined) filters[field]?.where(rows, value);
    }
    if (query.q !== undefined) this.#search(rows, query.q, precision);
    const isOwn = Object.entries(query.filters).every(([field, value]) => value === undefined || ownFilters.has(field));
    const counted = { table, isNoticed: live && isOwn && query.q === undefined };
    const columns = { sort, time: 'created_at', id: 'id', precision, counted, ...(this.#searchColumns() ?? {}) };
    return readPage<Row>(this.#work, rows, query, columns);
  }

  #searchColumns() {
    const { search, table, columns } = this.#record;
    if (!search) return undefined;
    const day = columns.find(({ field }) => field === search.day)?.column;
    return { search: { text: `${table}.search`, ...(day === undefined ? {} : { day }) } };
  }

  #search(rows: Knex.QueryBuilder, text: string, precision: Precision): void {
    const columns = this.#searchColumns()?.search;
    if (!columns) return;
    const also = this.#record.search?.also?.(text, precision);
    if (!also) {
      matchTerms(rows, columns, text, precision);
      return;
    }
    // Each part of the union uses its own index. An OR over both could use none.
    const own: Knex.QueryBuilder = build.from(this.#record.table).select('id');
    matchTerms(own, columns, text, precision);
    rows.whereIn('id', own.union(also));
  }

  #audit(action: AuditAction, item: ItemType | undefined, more: object = {}): void {
    const { table, patient } = this.#record;
    const patientId = item && patient && (item as Row)[patient];
    this.#work.audit({
      action,
      record: table,
      recordId: item?.id,
      patientId: typeof patientId === 'string' ? patientId : undefined,
      ...more,
    });
  }
}

/** A row as a response. A column that the schema lacks is null. */
function shownRow(columns: readonly Column[], row: Row): Row {
  const item: Record<string, unknown> = {};
  for (const { field, column, show } of columns) {
    const value = row[column] ?? null;
    if (value === null && field === 'deletedAt') continue;
    item[field] = value === null || !show ? value : show(value);
  }
  return item;
}

/** Objects and lists are columns of type jsonb. */
function columnValue(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !(value instanceof Date) ? JSON.stringify(value) : value;
}

/** The changed fields, before and after. */
function difference(before: object, after: object, fields: readonly string[]) {
  const changed = fields.filter(
    (field) => JSON.stringify((before as Row)[field]) !== JSON.stringify((after as Row)[field]),
  );
  const pick = (item: object) => Object.fromEntries(changed.map((field) => [field, (item as Row)[field]]));
  return { before: pick(before), after: pick(after) };
}
