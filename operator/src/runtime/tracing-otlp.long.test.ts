import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { $ } from 'zx';
import { CallMetrics, Calls } from '../backends/calls.ts';
import { BackendError } from '../backends/errors.ts';
import { Budget } from './budget.ts';
import { startOtlp } from './tracing-otlp.ts';

interface Span {
  readonly name: string;
  readonly spanId: string;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
  readonly status: { readonly code?: number; readonly message?: string };
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: Pick<Span, 'attributes'>;
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

/** A collector that records what it receives. */
let collector: Server;
let endpoint: string;
let exports: Export[];

beforeEach(async () => {
  exports = [];
  collector = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (request.url === '/v1/traces') exports.push(JSON.parse(Buffer.concat(parts).toString()));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});

afterEach(() => {
  collector.closeAllConnections();
  collector.close();
});

const spans = () =>
  exports.flatMap(({ resourceSpans }) => resourceSpans.flatMap((r) => r.scopeSpans).flatMap((s) => s.spans));
const attributesOf = ({ attributes }: Pick<Span, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));

describe('traces', () => {
  it('contain a reconcile, each of its calls to an engine, and their outcomes', async () => {
    const tracing = startOtlp({ endpoint, service: 'hms-operator', instance: 'one' });
    const calls = new Calls({
      backend: 'database',
      budget: new Budget({ concurrency: 2, perSecond: 100 }),
      metrics: new CallMetrics(new Registry()),
      tracing,
      fence: () => undefined,
    });
    const refused = new BackendError('Unavailable', 'PostgreSQL at db:5432 cannot be reached with token=abc');
    await tracing.span('reconcile', { 'hms.hospital': 'st-mary' }, async (add) => {
      await calls.run('read', () => Promise.resolve());
      await calls.run('change', () => Promise.reject(refused)).catch(() => undefined);
      add({ 'hms.outcome': 'retry' });
    });
    await tracing.span('reconcile', { 'hms.hospital': 'hope' }, () => Promise.resolve());
    await tracing.stop();

    const [read, change, reconcile, other] = spans();
    if (!read || !change || !reconcile || !other) throw new Error(`not all were sent: ${JSON.stringify(spans())}`);
    expect(reconcile.name).toBe('reconcile');
    expect(attributesOf(reconcile)).toEqual({ 'hms.hospital': 'st-mary', 'hms.outcome': 'retry' });
    expect(read.name).toBe('database read');
    expect(read.parentSpanId).toBe(reconcile.spanId);
    expect(attributesOf(read)).toEqual({
      'hms.hospital': 'st-mary',
      'hms.backend': 'database',
      'hms.op': 'read',
      'hms.outcome': 'ok',
    });
    expect(attributesOf(change)).toMatchObject({
      'hms.outcome': 'Unavailable',
      'error.message': expect.stringContaining('token=[secret]'),
    });
    expect(change.status).toEqual({ code: 2, message: 'BackendError' });
    expect(other.parentSpanId).toBeUndefined();
    expect(other.traceId).not.toBe(reconcile.traceId);
    expect(exports[0]?.resourceSpans.map(({ resource }) => attributesOf(resource)['service.name'])).toEqual([
      'hms-operator',
    ]);
  });

  it('are dropped without other effects while the collector is unavailable', async () => {
    const tracing = startOtlp({ endpoint: 'http://127.0.0.1:1', service: 'hms-operator', instance: 'one' });
    await expect(tracing.span('reconcile', {}, () => Promise.resolve('done'))).resolves.toBe('done');
    await expect(tracing.stop()).resolves.toBeUndefined();
  }, 20_000);
});

describe('an operator without a collector', () => {
  it('does not load the tracing libraries', async () => {
    const operator = new URL('../operator.ts', import.meta.url).href;
    const otlp = new URL('./tracing-otlp.ts', import.meta.url).href;
    expect(await loadedBy(operator)).toEqual([]);
    expect(await loadedBy(otlp)).not.toEqual([]);
  }, 30_000);
});

/** Files of the tracing libraries that a process loads when it imports the module. */
async function loadedBy(module: string): Promise<readonly string[]> {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    await import(${JSON.stringify(module)});
    console.log(JSON.stringify(loaded.filter((url) => /@opentelemetry.(sdk|exporter|otlp)/.test(url))));
    process.exit(0);`;
  return $({ quiet: true })`${process.execPath} --input-type=module -e ${script}`.json();
}
