/** `npm test` runs Jest with lists of suites (test/run/jest.ts). docs/development.md says which command runs which. */
import path from 'node:path';

// Programs that tests start, such as hmsctl, start in two thirds of the time with their compiled sources.
process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, 'node_modules', '.cache', 'compiled');

export default {
  roots: ['packages', 'operator', 'services', 'local', 'cli', 'web', 'test'].map((name) => `<rootDir>/${name}`),
  testMatch: ['**/*.test.ts'],
  testEnvironment: '<rootDir>/test/run/environment.ts',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } }],
  },
  moduleFileExtensions: ['ts', 'js', 'json'],
  // An idle connection, such as to Keycloak, keeps a worker alive for some seconds.
  workerGracefulExitTimeout: 10_000,
  // Processes start slowly on a busy machine; a test that waits says itself for what and how long.
  testTimeout: 60_000,
  reporters: ['<rootDir>/test/run/reporter.ts'],
};
