import { type ComponentType, lazy } from 'react';
import { needWords, type Words } from '../i18n/i18n.ts';
import { untilLoaded } from './new-build.ts';

/**
 * As React's `lazy`, for a part of a page that appears as soon as the network is back.
 * @param name as the file exports it
 * @param words that the part needs and its page does not load
 */
// biome-ignore lint/suspicious/noExplicitAny: as in React's own type
export function later<Name extends string, Part extends ComponentType<any>>(
  load: () => Promise<Readonly<Record<Name, Part>>>,
  name: Name,
  ...words: readonly Words[]
) {
  return lazy(async () => {
    const [file] = await untilLoaded(() => Promise.all([load(), ...words.map(needWords)]));
    return { default: file[name] as Part };
  });
}
