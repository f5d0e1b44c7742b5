/**
 * How soon a page can be used: from the navigation until the field that a person uses first takes what is typed, or the
 * list shows rows. Each page is compared with a bare one in the same browser, at normal speed and with a CPU four times
 * slower. HMS_BENCH_ROUNDS (5) makes it shorter or longer.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf } from '@hms/api-client';
import { freePorts, layout, lineReport, type PlatformState, startPlatform } from '@hms/local';
import { randomPhone, Scene } from '../test/support/browser.ts';
import { obtainChromium } from '../test/support/chromium.ts';
import { api, tokenOf } from '../test/support/gateway.ts';
import { median, type Row, table } from './table.ts';

const ROUNDS = Number(process.env.HMS_BENCH_ROUNDS ?? 5);
const GOAL_MS = 2_000;
const SPEEDS = [
  { slowdown: 1, suffix: '' },
  { slowdown: 4, suffix: ', CPU 4 times slower' },
];
/** How many patients one page of the list shows. */
const PATIENTS = 20;
/** After this time, nothing larger is painted. */
const PAINTED_MS = 500;
const BARE_PAGE = '<!doctype html><html lang="en"><title>Bare</title><input aria-label="Name">';

/** A page, and what has to be there before a person can use it. */
interface Target {
  readonly name: string;
  readonly url: string;
  readonly selector: string;
  /** Whether somebody is logged in. */
  readonly isLoggedIn?: boolean;
  /** Whether the browser has opened the page before. */
  readonly isCached?: boolean;
}

interface Times {
  readonly usable: number[];
  readonly painted: number[];
}

const dataDir = mkdtempSync(path.join(tmpdir(), 'hms-bench-web-'));
const report = lineReport((line) => process.stderr.write(`${line}\n`));
await obtainChromium(report);
const platform = await startPlatform({ dataDir, ports: await freePorts(), fast: false, report });
process.env.HMS_TEST_STATE = layout(dataDir).state;
const bare = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(BARE_PAGE));
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
let scene: Scene | undefined;
try {
  scene = await Scene.start("St. Mary's Hospital");
  await registerPatients(scene);
  process.stdout.write(`${table(await measure(scene, platform.state))}\n`);
} finally {
  await scene?.stop();
  bare.close();
  await platform.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function registerPatients({ prefix }: Scene): Promise<void> {
  const reception = api(await tokenOf(prefix, 'RECEPTION'));
  for (let n = 1; n <= PATIENTS; n += 1) {
    const body = { firstName: 'Nora', lastName: `Quinn ${n}`, phone: randomPhone(), dateOfBirth: '1988-02-29' };
    await dataOf(reception.POST('/api/hms/patients', { body }));
  }
}

async function measure(scene: Scene, { domain, ports }: PlatformState): Promise<readonly Row[]> {
  const login = 'input[type=email]';
  const patients = { url: `${scene.origin}/patients`, selector: 'tbody tr', isLoggedIn: true };
  const floor: Target = {
    name: 'bare page',
    url: `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`,
    selector: 'input',
  };
  const targets: readonly Target[] = [
    { name: 'login of the portal', url: `${scene.origin}/`, selector: login },
    { name: 'list of patients', ...patients },
    { name: 'list of patients, in the cache', ...patients, isCached: true },
    { name: 'login of the console', url: `http://console.${domain}:${ports.gateway}/`, selector: login },
    { name: 'code of a television', url: `${scene.origin}/tv`, selector: '.code' },
    { name: 'landing page', url: `http://${domain}:${ports.gateway}/`, selector: '#hospital' },
  ];
  const person = await scene.loggedIn('RECEPTION');
  let session = await person.context().storageState();
  await person.context().close();

  /** Opens the page once in a new browser context, and adds its times. */
  async function open(target: Target, slowdown: number, times: Times): Promise<void> {
    const context = await scene.context(target.isLoggedIn ? { storageState: session } : {});
    await context.addInitScript(observe(target.selector));
    const page = await context.newPage();
    if (target.isCached) {
      await page.goto(target.url);
      await page.evaluate('usable');
      await page.goto('about:blank');
    }
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto(target.url, { waitUntil: 'commit' });
    times.usable.push(await page.evaluate('usable'));
    await sleep(PAINTED_MS);
    times.painted.push(await page.evaluate('painted'));
    // Each refresh replaces the refresh token.
    if (target.isLoggedIn) session = await context.storageState();
    await context.close();
  }

  const rows: Row[] = [];
  for (const { slowdown, suffix } of SPEEDS) {
    const all = [floor, ...targets].map((target) => ({ target, times: { usable: [], painted: [] } as Times }));
    await report.during(`${ROUNDS} rounds${suffix}`, async () => {
      for (let round = 0; round < ROUNDS; round += 1)
        for (const { target, times } of all) await open(target, slowdown, times);
    });
    const [bareTimes = { usable: [], painted: [] }] = all.map(({ times }) => times);
    for (const { target, times } of all.slice(1)) rows.push(...rowsOf(target.name + suffix, times, bareTimes));
  }
  return rows;
}

function rowsOf(name: string, { usable, painted }: Times, bare: Times): readonly Row[] {
  const goal = { baseline: 'goal', baselineValue: GOAL_MS, unit: 'ms' };
  return [
    {
      measurement: `${name}: usable after`,
      value: median(usable),
      baseline: 'bare page',
      baselineValue: median(bare.usable),
      unit: 'ms',
    },
    { measurement: `${name}: usable after, worst`, value: Math.max(...usable), ...goal },
    { measurement: `${name}: largest paint`, value: median(painted), ...goal },
  ];
}

/**
 * The script that runs in a page before its own. `usable` becomes the time since the navigation at which the element is
 * visible, and has kept over two frames what was typed if it is a field. `painted` is the time of the largest paint.
 */
function observe(selector: string): string {
  return `
    window.painted = NaN;
    new PerformanceObserver((list) => { window.painted = list.getEntries().at(-1).startTime; })
      .observe({ type: 'largest-contentful-paint', buffered: true });
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    window.usable = (async () => {
      for (;;) {
        await frame();
        const element = document.querySelector(${JSON.stringify(selector)});
        if (!element?.checkVisibility()) continue;
        if (element.tagName !== 'INPUT') return performance.now();
        element.focus();
        if (element.value === '') document.execCommand('insertText', false, 'a');
        await frame();
        await frame();
        if (element.isConnected && element.value === 'a') return performance.now();
      }
    })();
  `;
}
