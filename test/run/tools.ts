/**
 * What suites need besides npm's packages: engines, and programs that check. All of it is had before the first suite
 * starts, one after the other.
 */
import fs from 'node:fs';
import {
  cacheDir,
  type Layout,
  obtainEngines,
  obtainFhirValidator,
  obtainHelm,
  obtainPromtool,
  obtainSchemathesis,
  obtainVerapdf,
  type Report,
} from '@hms/local';
import { obtainChromium } from '../support/chromium.ts';
import { obtainShell } from '../support/shells.ts';
import type { Tool } from '../support/tools.ts';
import type { Part } from './suites.ts';

const SOURCES: Readonly<Record<Tool, (cache: string, dirs: Layout, report: Report) => Promise<string>>> = {
  helm: obtainHelm,
  promtool: obtainPromtool,
  verapdf: obtainVerapdf,
  fhirValidator: obtainFhirValidator,
  schemathesis: obtainSchemathesis,
  chromium: (_cache, _dirs, report) => obtainChromium(report),
  zsh: (_cache, _dirs, report) => obtainShell('zsh', report),
  fish: (_cache, _dirs, report) => obtainShell('fish', report),
};

const NEEDED: Readonly<Record<Part, readonly Tool[]>> = {
  gate: ['helm', 'chromium'],
  long: ['promtool', 'verapdf', 'fhirValidator', 'helm', 'zsh', 'fish'],
  journeys: ['helm', 'chromium'],
  web: ['chromium'],
  chart: ['helm'],
  fuzz: ['schemathesis', 'chromium'],
  alone: ['helm', 'chromium'],
  faults: ['helm'],
  cluster: [],
};

/**
 * Gets the engines and the tools of these parts.
 * @returns the tools, for `tool` of test/support/tools.ts.
 * @throws Problem with what to do if one can't be had.
 */
export async function obtainAll(
  parts: ReadonlySet<Part>,
  dirs: Layout,
  report: Report,
): Promise<Partial<Record<Tool, string>>> {
  fs.mkdirSync(dirs.logs, { recursive: true, mode: 0o700 });
  await obtainEngines(dirs, report, { oneByOne: true });
  const tools: Partial<Record<Tool, string>> = {};
  for (const name of new Set([...parts].flatMap((part) => NEEDED[part]))) {
    tools[name] = await SOURCES[name](cacheDir(), dirs, report);
  }
  return tools;
}
