import { useEffect } from 'react';
import { start } from '../start.ts';

/** Names a page that shows an error in place of what it would be called after. */
export function useTitleOfError(title: string, isShown: boolean): void {
  useEffect(() => {
    if (isShown && document.title.startsWith('…')) document.title = named(title);
  }, [title, isShown]);
}

function named(title: string): string {
  return start.name ? `${title} · ${start.name}` : title;
}

/** Names the page in its tab and for screen readers. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = named(title);
  }, [title]);
}
