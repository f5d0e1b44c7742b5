/** Parts of a page that are needed only after a click, and must be there when somebody clicks and goes on typing. */
import { type ComponentProps, type ComponentType, lazy, useState } from 'react';

/** Long enough for the page itself to come first, in ms. */
const PAUSE_MS = 200;

/** Like `lazy`, but loaded as soon as the page rests. What is loaded appears at once: `lazy` would wait for some 300 ms. */
// biome-ignore lint/suspicious/noExplicitAny: as in React's own type
export function soon<Part extends ComponentType<any>>(load: () => Promise<Part>) {
  let part: Part | undefined;
  const loadPart = async () => {
    part = await load();
    return { default: part };
  };
  const Later = lazy(loadPart);
  // Without a network, the click tries again.
  setTimeout(() => void (navigator.onLine && loadPart().catch(() => undefined)), PAUSE_MS);
  // biome-ignore lint/correctness/noComponentHookFactories: a page's file calls this once, outside of every component
  return function Soon(props: ComponentProps<Part>) {
    // The same one for as long as it is shown: another one would lose what was typed.
    const [{ Shown }] = useState(() => ({ Shown: (part ?? Later) as ComponentType<ComponentProps<Part>> }));
    return <Shown {...props} />;
  };
}
