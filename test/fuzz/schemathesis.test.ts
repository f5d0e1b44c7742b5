/** Requests that schemathesis makes from the OpenAPI documents: no answer is a 500, or is one that the document lacks. */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { BUILT_MODULES, type ProcessName, processNames, servesHospitals } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { moduleDocuments } from '../openapi/documents.ts';
import { platform } from '../platform.ts';
import { tokenOf } from '../support/gateway.ts';
import { freshHospital } from '../support/hospitals.ts';
import { tool } from '../support/tools.ts';

const CONFIG = path.join(import.meta.dirname, '../openapi/schemathesis.toml');
const START = 'import sys; from schemathesis.cli import schemathesis; sys.exit(schemathesis())';
/** Modules limit logins by address, and other suites log in as well. Keycloak wants HTTPS from public addresses. */
const ADDRESS = '10.203.0.77';
/** Seconds for each module and kind of characters. `HMS_SCHEMATHESIS_SECONDS` sets another time. */
const SECONDS = Number(process.env.HMS_SCHEMATHESIS_SECONDS ?? 6);

/** Each run makes other requests. A failed one names its seed, with which `HMS_SCHEMATHESIS_SEED` repeats it. */
const SEED = process.env.HMS_SCHEMATHESIS_SEED ?? String(randomInt(2 ** 31));

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hms-test-schemathesis-'));
let prefix: string;

beforeAll(async () => {
  const [{ metadata }, documents] = await Promise.all([freshHospital(), moduleDocuments()]);
  prefix = metadata.name;
  for (const { module, document } of documents)
    fs.writeFileSync(path.join(folder, `${module}.json`), JSON.stringify(document));
}, 300_000);
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** A role template is for every hospital, so at the platform's own modules nothing is created. */
const MODULES = BUILT_MODULES.map((module) => {
  const [process_] = processNames(module);
  return [module.name, process_ as ProcessName, servesHospitals(module.name) ? 'OWNER' : 'PLATFORM_SUPPORT'] as const;
});

/** They last, and schemathesis compares each event with the schema of their whole body. */
const STREAMS = '/(?:changes|stream|display)$';

/** Which checks hold depends on the characters: what a text may have is more than a pattern can say. */
const CHARACTERS = {
  ascii: ['--generation-codec', 'ascii'],
  'utf-8': ['--generation-codec', 'utf-8', '--exclude-checks', 'positive_data_acceptance'],
};

describe.each(MODULES)('%s', (module, process_, role) => {
  it.each(Object.entries(CHARACTERS))(
    'answers as its document says, to requests in %s',
    async (_, options) => {
      const accessToken = await tokenOf(role === 'OWNER' ? prefix : 'console', role);
      const url = `http://127.0.0.1:${platform().ports[process_]}`;
      const args = [
        ...['--config-file', CONFIG, 'run', path.join(folder, `${module}.json`), '--url', url],
        ...['--header', `Authorization: Bearer ${accessToken}`, '--header', `X-Forwarded-For: ${ADDRESS}`],
        ...['--seed', SEED, '--max-time', String(SECONDS), '--exclude-path-regex', STREAMS],
        ...['--phases', 'examples,coverage,fuzzing'],
        ...options,
      ];
      const { code, output } = await run(args);
      // Its report names each failure with the request that repeats it.
      expect(code === 0 ? '' : `HMS_SCHEMATHESIS_SEED=${SEED}\n${output}`).toBe('');
    },
    180_000,
  );
});

async function run(args: readonly string[]): Promise<{ readonly code: unknown; readonly output: string }> {
  const env = { ...process.env, PYTHONPATH: tool('schemathesis'), NO_COLOR: '1' };
  const child = spawn('python3', ['-c', START, ...args], { cwd: folder, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  const [code] = await once(child, 'close');
  return { code, output };
}
