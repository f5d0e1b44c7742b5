/** Pages for those who may see them, and what others see in their place. */
import { Stack, Text } from '@mantine/core';
import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../lists/list-page.tsx';
import { type Operation, useMay } from '../roles/can.tsx';

export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <Stack>
      <PageHead title={t('notFound.title')} />
      <Text>{t('notFound.text')}</Text>
    </Stack>
  );
}

/**
 * The component of a route: a page of its own file, for those who may use its operation. The router loads the file when
 * somebody points to a link, and as soon as the address is known.
 * @param name under which the file exports it.
 */
export function page(operation: Operation, load: () => Promise<object>, name: string): RouteComponent {
  const Page = lazy(load, name);
  // biome-ignore lint/correctness/noComponentHookFactories: a route calls this once, outside of every component
  const Guarded = () => (
    <Guard operation={operation}>
      <Page />
    </Guard>
  );
  return Object.assign(Guarded, { preload: Page.preload });
}

/** Its own type names the page's, which names the router's, which names this one. */
const lazy = lazyRouteComponent as unknown as (load: () => Promise<object>, name: string) => RouteComponent;

function Guard({ operation, children }: { readonly operation: Operation; readonly children: ReactNode }) {
  const { t } = useTranslation();
  if (useMay()(operation)) return children;
  return (
    <Stack>
      <PageHead title={t('forbidden.title')} />
      <Text>{t('forbidden.text')}</Text>
    </Stack>
  );
}
