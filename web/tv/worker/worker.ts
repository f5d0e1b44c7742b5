/**
 * The service worker of televisions. It keeps the page and its files, so that a television that is switched on without a
 * network shows what it knows, and so that a newer page is only shown when all of its files are here.
 */
/** The server writes it before this text. */
declare const SHELL: { readonly build: string; readonly files: readonly string[] };

const worker = self as unknown as ServiceWorkerGlobalScope;
const PAGE = '/tv';
const PREFIX = 'tv-';
const NAME = `${PREFIX}${SHELL.build}`;

worker.addEventListener('install', (event) => event.waitUntil(keep()));
worker.addEventListener('activate', (event) => event.waitUntil(replace()));
worker.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== worker.location.origin) return;
  const isPage = mode === 'navigate' && pathname === PAGE;
  if (isPage || SHELL.files.includes(pathname)) event.respondWith(kept(isPage ? PAGE : pathname, event.request));
});

/** All of it or nothing: otherwise the former worker stays. */
async function keep(): Promise<void> {
  try {
    await fill(await caches.open(NAME));
  } catch (error) {
    await caches.delete(NAME);
    throw error;
  }
  await worker.skipWaiting();
}

async function fill(cache: Cache): Promise<void> {
  await cache.addAll(SHELL.files.map((file) => new Request(file, { cache: 'reload' })));
  const page = await fetch(PAGE, { cache: 'reload' });
  // During a release, another process may answer with another version.
  if (!page.ok || !(await page.clone().text()).includes(SHELL.build)) throw new Error('another version of the page');
  await cache.put(PAGE, page);
}

async function replace(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((one) => one.startsWith(PREFIX) && one !== NAME).map((one) => caches.delete(one)));
  await worker.clients.claim();
}

async function kept(path: string, request: Request): Promise<Response> {
  const found = await (await caches.open(NAME)).match(path);
  return found ?? fetch(request);
}
