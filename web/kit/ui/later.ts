import { type ComponentType, lazy } from 'react';
import { untilLoaded } from './new-build.ts';

/** As React's `lazy`, for a part of a page that appears as soon as the network is back. @param name as the file exports it */
// biome-ignore lint/suspicious/noExplicitAny: as in React's own type
export function later<Name extends string, Part extends ComponentType<any>>(
  load: () => Promise<Readonly<Record<Name, Part>>>,
  name: Name,
) {
  return lazy(async () => ({ default: (await untilLoaded(load))[name] as Part }));
}
