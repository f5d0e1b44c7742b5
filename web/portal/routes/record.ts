/** The three routes of a plain record. */
import { createRoute, type RouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { Words } from '../../kit/i18n/i18n.ts';
import { filteredSearch } from '../../kit/lists/list-search.ts';
import type { RecordType } from '../../kit/records/plain-record.ts';
import type { Operation } from '../../kit/roles/can.tsx';
import { pageWith } from '../../kit/ui/page.tsx';
import { portalPages } from '../pages/words.ts';
import { root } from './root.tsx';

interface Declared<Path extends string> {
  readonly path: Path;
  readonly type: RecordType;
  readonly words: readonly Words[];
  load(): Promise<{ readonly [Page in 'ListPage' | 'NewPage' | 'RecordPage']: ComponentType }>;
}

export function recordRoutes<const Path extends `/${string}`>({ path, type, words, load }: Declared<Path>) {
  const page = (operation: string, name: string): RouteComponent =>
    pageWith(portalPages.records, ...words)(operation as Operation, load, name);
  return [
    createRoute({
      getParentRoute: () => root,
      path,
      validateSearch: filteredSearch,
      component: page(`list${type}s`, 'ListPage'),
    }),
    createRoute({
      getParentRoute: () => root,
      path: `${path}/new` as const,
      component: page(`create${type}`, 'NewPage'),
    }),
    createRoute({
      getParentRoute: () => root,
      path: `${path}/$id` as const,
      component: page(`read${type}`, 'RecordPage'),
    }),
  ] as const;
}
