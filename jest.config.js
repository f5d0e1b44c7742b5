/**
 * `unit` needs no engine; `engines` runs on the platform that the global setup starts once; `faults` has engines of its
 * own, behind proxies that fail; `cluster` installs the chart on a real cluster.
 */
const common = {
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } }],
  },
  moduleFileExtensions: ['ts', 'js', 'json'],
  testPathIgnorePatterns: ['/node_modules/', '/\\.hms/'],
  modulePathIgnorePatterns: ['/\\.hms/'],
};

export default {
  // Tests on the platform freeze and kill its processes: side by side they would disturb each other.
  maxWorkers: 1,
  // Processes start slowly on a busy machine; a test that waits says itself for what and how long.
  testTimeout: 60_000,
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/{packages,operator,services,local,cli}/**/*.test.ts'],
      testPathIgnorePatterns: [...common.testPathIgnorePatterns, '\\.engine\\.test\\.ts$'],
    },
    {
      ...common,
      displayName: 'engines',
      testMatch: [
        '<rootDir>/{packages,operator,services,local,cli}/**/*.engine.test.ts',
        '<rootDir>/test/**/*.test.ts',
      ],
      testPathIgnorePatterns: [...common.testPathIgnorePatterns, '<rootDir>/test/(faults|cluster)/'],
      globalSetup: '<rootDir>/test/global-setup.ts',
      globalTeardown: '<rootDir>/test/global-teardown.ts',
    },
    { ...common, displayName: 'faults', testMatch: ['<rootDir>/test/faults/**/*.test.ts'] },
    // Needs a cluster and its tools, which `make test` can't expect.
    ...(process.env.HMS_CLUSTER_HOST
      ? [{ ...common, displayName: 'cluster', testMatch: ['<rootDir>/test/cluster/**/*.test.ts'] }]
      : []),
  ],
};
