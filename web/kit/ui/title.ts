import { useEffect } from 'react';
import { start } from '../start.ts';

/** Names the page in its tab and for screen readers. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = start.name ? `${title} · ${start.name}` : title;
  }, [title]);
}
