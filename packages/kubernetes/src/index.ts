export * from './apply.ts';
export * from './client.ts';
