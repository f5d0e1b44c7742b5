import { NO_TRACING, type Tracing } from './tracing.ts';

/** @param endpoint OpenTelemetry collector. The libraries are loaded only if there is one. */
export async function startTracing(endpoint: string | undefined, service: string, instance: string): Promise<Tracing> {
  if (!endpoint) return NO_TRACING;
  const { startOtlp } = await import('./tracing-otlp.ts');
  return startOtlp({ endpoint, service, instance });
}
