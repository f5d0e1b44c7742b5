export * from './apply.ts';
export * from './backoff.ts';
export * from './client.ts';
export * from './reflector.ts';
