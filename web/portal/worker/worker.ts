/**
 * The service worker of the portal. It keeps the document and the files that were loaded, so that a page that is loaded
 * again without a network is there. With a network, the document always comes from the server.
 */
/** The server writes it before this text. */
declare const SHELL: { readonly build: string; readonly files: readonly string[] };

const worker = self as unknown as ServiceWorkerGlobalScope;
const PREFIX = 'portal-';
const NAME = `${PREFIX}${SHELL.build}`;
const DOCUMENT = '/';
/** What has a document of its own, or none. */
const OTHERS = /^\/(?:tv|visit|verify|api|auth|session|status|version\.json)(?:\/|$)/;

worker.addEventListener('install', (event) => event.waitUntil(keep()));
worker.addEventListener('activate', (event) => event.waitUntil(replace()));
worker.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== worker.location.origin || OTHERS.test(pathname)) return;
  if (mode === 'navigate') event.respondWith(page(event.request));
  else if (pathname.startsWith('/assets/')) event.respondWith(file(event.request));
});

/** The files of the first load, which are in the browser's own cache. */
async function keep(): Promise<void> {
  const cache = await caches.open(NAME);
  await Promise.all([cache.addAll(SHELL.files), keepDocument(await fetch(DOCUMENT))]);
  await worker.skipWaiting();
}

async function replace(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((one) => one.startsWith(PREFIX) && one !== NAME).map((one) => caches.delete(one)));
  await worker.clients.claim();
}

/** How long somebody waits for the document, in ms. */
const PATIENCE = 5_000;
/** The gateway answers, and what is behind it does not. */
const UNREACHED = [502, 503, 504];

/** Every page of the portal has the same document. */
async function page(request: Request): Promise<Response> {
  const kept = await (await caches.open(NAME)).match(DOCUMENT);
  if (!kept) return fresh(request);
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), PATIENCE));
  return Promise.race([
    fresh(request).then((answer) => (UNREACHED.includes(answer.status) ? kept : answer)),
    late,
  ]).catch(() => kept);
}

async function fresh(request: Request): Promise<Response> {
  const response = await fetch(request);
  void keepDocument(response.clone()).catch(() => undefined);
  return response;
}

/** Not one that says that the hospital is suspended, or that has files which this worker does not keep. */
async function keepDocument(response: Response): Promise<void> {
  if (!response.ok || response.redirected) return;
  const text = await response.clone().text();
  if (!text.includes('"entry":"portal"') || !text.includes('"problem":null') || !text.includes(SHELL.build)) return;
  await (await caches.open(NAME)).put(DOCUMENT, response);
}

/** A file never changes: its name has a hash of its content. */
async function file(request: Request): Promise<Response> {
  const cache = await caches.open(NAME);
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) void cache.put(request, response.clone()).catch(() => undefined);
  return response;
}
