/**
 * The page and its files, kept by a service worker: they load without a network, and newer ones only once all of them are
 * here. Browsers without one load the page from the server.
 */

/** Begins to keep the page. */
export function keepShell(): void {
  navigator.serviceWorker?.register('/tv-worker.js', { scope: '/tv' }).catch(() => undefined);
}

/** Gets newer files. @returns whether loading the page again shows them. */
export async function updateShell(build: string): Promise<boolean> {
  const registration = await navigator.serviceWorker?.getRegistration('/tv');
  if (!registration) return isServed(build);
  await registration.update();
  const worker = registration.installing ?? registration.waiting;
  if (worker && !(await isActivated(worker))) return false;
  return isKept(build);
}

function isActivated(worker: ServiceWorker): Promise<boolean> {
  return new Promise((resolve) => {
    const look = () => {
      if (worker.state === 'activated' || worker.state === 'redundant') resolve(worker.state === 'activated');
    };
    worker.addEventListener('statechange', look);
    look();
  });
}

/** As the service worker names what it keeps. */
function isKept(build: string): Promise<boolean> {
  return caches.has(`tv-${build}`);
}

/** Whether the server has this version of the page at the moment. */
async function isServed(build: string): Promise<boolean> {
  const response = await fetch(location.pathname, { cache: 'no-store' });
  return response.ok && (await response.text()).includes(build);
}
