/** Language, direction, color and title of a page without Mantine. */
import { useEffect } from 'react';
import { contrastToWhite, OWN, shadesOf } from '../ui/colors.ts';
import type { Language } from './language.ts';

/** @param color of the hospital, or null for that of the platform. */
export function useLook<Words>({ locale, direction }: Language<Words>, color: string | null, title: string): void {
  useEffect(() => {
    const { documentElement: root } = document;
    root.lang = locale.slice(0, 2);
    root.dir = direction;
    document.title = title;
    root.style.setProperty('--brand', darkest(color ?? OWN));
  }, [locale, direction, color, title]);
}

/** The hospital's color, dark enough that white can be read from far away. */
function darkest(color: string): string {
  const shades = shadesOf(color).slice(6);
  return shades.find((shade) => contrastToWhite(shade) >= 7) ?? shades.at(-1) ?? OWN;
}
