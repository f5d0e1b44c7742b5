/** Pages for those who may see them, and what others see in their place. */
import { Stack, Text } from '@mantine/core';
import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { needWords, type Words } from '../i18n/i18n.ts';
import { PageHead } from '../lists/list-page.tsx';
import { type Operation, useMay } from '../roles/can.tsx';
import { usePerson } from '../session/use-session.ts';
import { untilLoaded } from './new-build.ts';

export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <Stack>
      <PageHead title={t('notFound.title')} />
      <Text>{t('notFound.text')}</Text>
    </Stack>
  );
}

/** @param name under which the file exports the page. */
type LoadPage = (load: () => Promise<object>, name: string) => RouteComponent;

/**
 * Makes the components of routes: a page of its own file, for those who may use its operation. The router loads the file
 * and the words when somebody points to a link, and as soon as the address is known.
 * @param words that the pages need beside those of the first load.
 */
export function pageWith(...words: readonly Words[]) {
  return (operation: Operation, ...file: Parameters<LoadPage>): RouteComponent => {
    const Page = pageForAll(...words)(...file);
    // biome-ignore lint/correctness/noComponentHookFactories: a route calls this once, outside of every component
    const Guarded = () => (
      <Guard operation={operation}>
        <Page />
      </Guard>
    );
    return Object.assign(Guarded, { preload: Page.preload });
  };
}

/** In place of a page whose files can't be loaded yet. */
export function WaitedFor() {
  const { t } = useTranslation();
  return <PageHead title={t('loading')} />;
}

/** The same for pages of everybody who is logged in. */
export function pageForAll(...words: readonly Words[]): LoadPage {
  return (load, name) =>
    lazy(async () => {
      const [file] = await untilLoaded(() => Promise.all([load(), ...words.map(needWords)]));
      return file;
    }, name);
}

/** Its own type names the page's, which names the router's, which names this one. */
const lazy = lazyRouteComponent as unknown as LoadPage;

function Guard({ operation, children }: { readonly operation: Operation; readonly children: ReactNode }) {
  const { t } = useTranslation();
  const isOnlyReading = usePerson().impersonation?.mode === 'read';
  if (useMay()(operation)) return children;
  return (
    <Stack>
      <PageHead title={t(isOnlyReading ? 'forbidden.readingTitle' : 'forbidden.title')} />
      <Text>{t(isOnlyReading ? 'forbidden.reading' : 'forbidden.text')}</Text>
    </Stack>
  );
}
