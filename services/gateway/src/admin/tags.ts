import { kinds } from '../entities/index.ts';
import type { Store } from '../store/store.ts';
import type { Answer } from './call.ts';
import { page } from './lists.ts';

/** `GET /tags` and `GET /tags/{tag}`: every tag with every entity that has it. */
export function taggedEntities(store: Store, query: URLSearchParams, filter?: string): Answer {
  const rows = kinds.flatMap((kind) =>
    store
      .all(kind)
      .flatMap(({ id, tags }) =>
        (tags ?? [])
          .filter((tag) => filter === undefined || tag === filter)
          .map((tag) => ({ id: `${id}/${tag}`, entity_name: kind, entity_id: id, tag })),
      ),
  );
  rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  const path = filter === undefined ? '/tags' : `/tags/${encodeURIComponent(filter)}`;
  const { data, ...rest } = page(rows, query, path, true);
  return { status: 200, body: { data: data.map((row) => ({ ...row, id: undefined })), ...rest } };
}
