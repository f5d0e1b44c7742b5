/** The three routes of each plain record. */
import { createRoute, type RouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { Words } from '../../kit/i18n/i18n.ts';
import { filteredSearch } from '../../kit/lists/list-search.ts';
import type { RecordType } from '../../kit/records/plain-record.ts';
import type { Operation } from '../../kit/roles/can.tsx';
import { pageWith } from '../../kit/ui/page.tsx';
import { portalPages } from '../pages/words.ts';
import { RECORDS } from '../records.ts';
import { root } from './root.tsx';

interface Declared {
  readonly type: RecordType;
  readonly words: readonly Words[];
  load(): Promise<{ readonly [Page in 'ListPage' | 'NewPage' | 'RecordPage']: ComponentType }>;
}

function routesOf<const Name extends keyof typeof RECORDS>(name: Name) {
  const { type, words, load }: Declared = RECORDS[name];
  const page = (operation: string, component: string): RouteComponent =>
    pageWith(portalPages.records, ...words)(operation as Operation, load, component);
  return [
    createRoute({
      getParentRoute: () => root,
      path: `/${name}` as const,
      validateSearch: filteredSearch,
      component: page(`list${type}s`, 'ListPage'),
    }),
    createRoute({
      getParentRoute: () => root,
      path: `/${name}/new` as const,
      component: page(`create${type}`, 'NewPage'),
    }),
    createRoute({
      getParentRoute: () => root,
      path: `/${name}/$id` as const,
      component: page(`read${type}`, 'RecordPage'),
    }),
  ] as const;
}

type Routes = {
  [Name in keyof typeof RECORDS]: ReturnType<typeof routesOf<Name>>[number];
}[keyof typeof RECORDS];

export const recordRoutes = (Object.keys(RECORDS) as (keyof typeof RECORDS)[]).flatMap((name) =>
  routesOf(name),
) as unknown as readonly Routes[];
