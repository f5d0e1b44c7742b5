/** One id for a request: in the response, in the gateway's log and in the module's. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { moduleEnv } from '@hms/local';
import { createIssuer, type Issuer } from '@hms/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { platformEntities } from '../../operator/src/platform/gateway-entities.ts';
import { type TestGateway, testGateway } from '../../services/gateway/src/testing/harness.ts';
import { platform } from '../platform.ts';
import { until } from '../support/until.ts';

interface Line {
  readonly msg?: string;
  readonly port?: number;
  readonly requestId?: string;
  readonly status?: number;
}

const HMS = fileURLToPath(new URL('../../services/hms/src/main.ts', import.meta.url));
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
let issuer: Issuer;
let gateway: TestGateway;
let module: ChildProcessByStdio<null, Readable, null>;
const moduleLines: Line[] = [];
const gatewayLines: Line[] = [];

beforeAll(async () => {
  issuer = await createIssuer();
  const sink = new Writable({
    write(line, _encoding, done) {
      gatewayLines.push(JSON.parse(String(line)));
      done();
    },
  });
  gateway = await testGateway({}, pino({ level: 'info' }, sink));
  module = spawn(process.execPath, [HMS], {
    env: {
      PORT: '0',
      ...moduleEnv(platform()),
      BASE_URL: issuer.baseUrl,
      KEYCLOAK_URL: issuer.keycloakUrl,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface(module.stdout).on('line', (line) => moduleLines.push(JSON.parse(line)));
  const { port } = await until(
    'the module to listen',
    async () => moduleLines.find(({ msg }) => msg === 'listening') ?? {},
    (line: Line) => line.port !== undefined,
  );
  await gateway.make('PUT', '/services/hms', { host: '127.0.0.1', port });
  await gateway.make('PUT', '/routes/hms', { paths: ['/api/hms'], strip_path: false, service: { name: 'hms' } });
  const entities = platformEntities({
    webTargets: [],
    targets: { hms: [`127.0.0.1:${port}`] },
    keycloakUrl: issuer.keycloakUrl,
    metricsAddress: '127.0.0.1:1',
    metricsAllowed: [],
    portalOrigin: 'http://localhost',
    consoleOrigin: 'http://localhost',
  });
  const plugin = entities.find(({ label }) => label === 'correlation-id of hms');
  const { name, config } = plugin?.body ?? {};
  await gateway.make('POST', '/services/hms/plugins', { name, config });
}, 60_000);

afterAll(async () => {
  module.kill('SIGKILL');
  await once(module, 'exit');
  await gateway.stop();
  await issuer.close();
});

/** The statuses of a request in the log of the gateway and in that of the module. */
function logged(id: unknown): Promise<readonly (number | undefined)[]> {
  const statusIn = (lines: readonly Line[]) =>
    lines.find(({ msg, requestId }) => msg === 'request' && requestId === id)?.status;
  return until(
    'both lines',
    async () => [statusIn(gatewayLines), statusIn(moduleLines)],
    (statuses) => statuses.every((status) => status !== undefined),
  );
}

describe('the id of a request', () => {
  it("is the client's if that is a UUID", async () => {
    const id = randomUUID();
    const answer = await gateway.get('/api/hms/patients', { headers: { 'x-request-id': id } });
    expect([answer.status, answer.headers['x-request-id'], answer.headers['x-kong-request-id']]).toEqual([401, id, id]);
    expect(await logged(id)).toEqual([401, 401]);
  });

  it('replaces anything else that the client sends', async () => {
    for (const sent of ['forged', `${randomUUID()}, forged`, '{"msg":"forged"}']) {
      const answer = await gateway.get('/api/hms/patients', { headers: { 'x-request-id': sent } });
      const id = answer.headers['x-request-id'];
      expect(id).toMatch(UUID);
      expect(await logged(id)).toEqual([401, 401]);
      expect(JSON.stringify([gatewayLines, moduleLines])).not.toContain('forged');
    }
  });
});
