/** Parts of a page that are needed only after a click, and must be there when somebody clicks and goes on typing. */
import { type ComponentProps, type ComponentType, lazy, useState } from 'react';
import { untilLoaded } from './new-build.ts';

/**
 * Like `lazy`, but the part is loaded beside the data of the page, which does not wait for it. What is loaded appears at
 * once: `lazy` would wait for some 300 ms.
 */
// biome-ignore lint/suspicious/noExplicitAny: as in React's own type
export function soon<Part extends ComponentType<any>>(load: () => Promise<Part>) {
  let part: Part | undefined;
  const loadPart = async () => {
    part = await untilLoaded(load);
    return { default: part };
  };
  const Later = lazy(loadPart);
  // If it fails, the click tries again. Without a network, nobody has to wait for it yet.
  void (
    navigator.onLine &&
    load().then(
      (loaded) => {
        part = loaded;
      },
      () => undefined,
    )
  );
  // biome-ignore lint/correctness/noComponentHookFactories: a page's file calls this once, outside of every component
  return function Soon(props: ComponentProps<Part>) {
    // The same one for as long as it is shown: another one would lose what was typed.
    const [{ Shown }] = useState(() => ({ Shown: (part ?? Later) as ComponentType<ComponentProps<Part>> }));
    return <Shown {...props} />;
  };
}
