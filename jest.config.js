/**
 * `unit` needs no engine. `engines` and `alone` run on the platform that the global setup starts once: `engines` side by
 * side, `alone` one after the other (test/runner.js). Each suite of `faults` has engines of its own, behind proxies that
 * fail. `cluster` installs the chart on a real cluster. docs/development.md says which suites run alone.
 */
import path from 'node:path';

// Programs that tests start, such as hmsctl, start in two thirds of the time with their compiled sources.
process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, 'node_modules', '.cache', 'compiled');

const common = {
  runner: '<rootDir>/test/runner.js',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } }],
  },
  moduleFileExtensions: ['ts', 'js', 'json'],
  testPathIgnorePatterns: ['/node_modules/', '/\\.hms/'],
  modulePathIgnorePatterns: ['/\\.hms/'],
};
const onPlatform = {
  ...common,
  globalSetup: '<rootDir>/test/global-setup.ts',
  globalTeardown: '<rootDir>/test/global-teardown.ts',
};

export default {
  // One for each core of a small machine.
  maxWorkers: 2,
  // An idle connection, such as to Keycloak, keeps a worker alive for some seconds.
  workerGracefulExitTimeout: 10_000,
  // Processes start slowly on a busy machine; a test that waits says itself for what and how long.
  testTimeout: 60_000,
  reporters: ['default', '<rootDir>/test/slowest-reporter.ts'],
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/{packages,operator,services,local,cli,web}/**/*.test.ts'],
      testPathIgnorePatterns: [...common.testPathIgnorePatterns, '\\.(engine|alone)\\.test\\.ts$'],
    },
    {
      ...onPlatform,
      displayName: 'engines',
      testMatch: [
        '<rootDir>/{packages,operator,services,local,cli}/**/*.engine.test.ts',
        '<rootDir>/test/**/*.test.ts',
      ],
      testPathIgnorePatterns: [
        ...common.testPathIgnorePatterns,
        '\\.alone\\.test\\.ts$',
        '<rootDir>/test/(faults|cluster)/',
      ],
    },
    {
      ...onPlatform,
      displayName: 'alone',
      testMatch: ['<rootDir>/{packages,operator,services,local,cli,test}/**/*.alone.test.ts'],
    },
    { ...common, displayName: 'faults', testMatch: ['<rootDir>/test/faults/**/*.test.ts'] },
    // Needs a cluster and its tools, which `make test` can't expect.
    ...(process.env.HMS_CLUSTER_HOST
      ? [{ ...common, displayName: 'cluster', testMatch: ['<rootDir>/test/cluster/**/*.test.ts'] }]
      : []),
  ],
};
