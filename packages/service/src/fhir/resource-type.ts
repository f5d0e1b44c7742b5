/** What a type of resource is made of. */
import type { Permission } from '@hms/tenancy';
import type { FhirResource } from 'fhir/r4.js';
import type { Feed, FeedRow } from '../feeds.ts';
import type { Route } from '../route.ts';
import type { Work } from '../work.ts';
import type { Parameter } from './parameters.ts';

type Shown = ReadonlyMap<string, FhirResource>;

/** Where resources come from. */
export interface Source {
  readonly feed: Feed;
  /** The resources of rows of the feed, by their id. The audit log has no event. */
  show(work: Work, rows: readonly FeedRow[]): Promise<Shown>;
}

/** A type whose resources are read and searched for as those of all types. */
export interface ResourceType {
  readonly type: string;
  /** Whoever may read these records of the API may read them here. */
  readonly access: Permission;
  /** One after the other. */
  readonly sources: readonly Source[];
  /** In addition to those of all types. Each names fields that all sources have. */
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** The record of whose reads the audit log has events. Default: it is about no patient. */
  readonly audited?: string;
}

/** A type with routes of its own, such as one whose resources are computed. */
export interface OwnType {
  readonly type: string;
  /** What the CapabilityStatement says of its search. */
  readonly parameters: Readonly<Record<string, Pick<Parameter, 'type' | 'about'>>>;
  /** @param path of the FHIR server, such as `/api/hms/fhir/R4` */
  routes(path: string): readonly Route[];
}

/** A source whose rows are records, shown one by one. */
export function plainSource<Item extends { readonly id: string }>(
  feed: Feed,
  read: (work: Work, ids: readonly string[]) => Promise<readonly Item[]>,
  show: (item: Item, work: Work) => FhirResource,
): Source {
  return {
    feed,
    show: async (work, rows) => {
      const items = await read(work, parentsOf(rows));
      return new Map(items.map((item) => [item.id, show(item, work)]));
    },
  };
}

/** Ids of the records of which rows are parts, each once. */
export function parentsOf(rows: readonly FeedRow[]): readonly string[] {
  return [...new Set(rows.map((row) => row.of))];
}
