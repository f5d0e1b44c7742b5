/** Sends spans to an OpenTelemetry collector. Imported only if one is configured: never import it statically. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Attributes, Tracing } from './tracing.ts';

export interface OtlpOptions {
  /** Address of the collector, without `/v1/traces`. Headers come from OTEL_EXPORTER_OTLP_HEADERS. */
  readonly endpoint: string;
  readonly service: string;
  /** Name of this process. */
  readonly instance: string;
}

/** An unavailable collector loses spans, but never stops work. */
const EXPORT_TIMEOUT_MS = 5_000;

export function startOtlp({ endpoint, service, instance }: OtlpOptions): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_TIMEOUT_MS });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.instance.id': instance }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_TIMEOUT_MS })],
  });
  const tracer = provider.getTracer(service);
  const current = new AsyncLocalStorage<{ readonly context: Context; readonly attributes: Attributes }>();
  return {
    async span(name, ownAttributes, work) {
      const parent = current.getStore();
      const attributes = { ...parent?.attributes, ...ownAttributes };
      const context = parent?.context ?? ROOT_CONTEXT;
      const span = tracer.startSpan(name, { attributes }, context);
      try {
        return await current.run({ context: trace.setSpan(context, span), attributes }, () =>
          work((more) => void span.setAttributes(more)),
        );
      } catch (error) {
        // Only the name: a message may contain what belongs only in the log of this process.
        span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'unknown' });
        throw error;
      } finally {
        span.end();
      }
    },
    stop: () => provider.shutdown().catch(() => undefined),
  };
}
