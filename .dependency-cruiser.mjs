/** Who may import whom, as docs/architecture.md says. */

/** Folders that stand beside each other and never import each other. */
const modules = '^services/(?!gateway/)([^/]+)/';
/** Tests may use anything. */
const pathNot = '\\.test\\.ts$|/testing(/|\\.ts$)';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Files that import each other in a circle can only be understood together.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'modules-are-independent',
      comment: 'A module reaches another one over HTTP.',
      severity: 'error',
      from: { path: modules, pathNot },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'modules-build-on-packages',
      severity: 'error',
      from: { path: '^services/', pathNot },
      to: { path: '^(operator|local|cli|test|bench)/' },
    },
    {
      name: 'gateway-stands-alone',
      severity: 'error',
      from: { path: '^services/gateway/', pathNot },
      to: { path: '^(packages|services/(?!gateway))/' },
    },
    {
      name: 'packages-build-on-packages',
      severity: 'error',
      from: { path: '^packages/', pathNot },
      to: { path: '^(services|operator|local|cli|test|bench)/' },
    },
    {
      name: 'the-base-stands-alone',
      severity: 'error',
      from: { path: '^packages/(tenancy|kubernetes|mail|documents)/', pathNot },
      to: { path: '^packages/', pathNot: '^packages/(tenancy|kubernetes|mail|documents)/' },
    },
    {
      name: 'database-and-storage-build-on-tenancy',
      severity: 'error',
      from: { path: '^packages/(database|storage)/', pathNot },
      to: { path: '^packages/', pathNot: '^packages/($1|tenancy)/' },
    },
    {
      name: 'service-knows-no-record',
      severity: 'error',
      from: { path: '^packages/service/', pathNot },
      to: { path: '^packages/(domain|kubernetes)/' },
    },
    {
      name: 'runtime-knows-no-hospital',
      severity: 'error',
      from: { path: '^operator/src/runtime/', pathNot },
      to: { path: '^operator/', pathNot: '^operator/src/runtime/' },
    },
    {
      name: 'backends-know-no-hospital-objects',
      severity: 'error',
      from: { path: '^operator/src/backends/(?!all\\.ts)', pathNot },
      to: { path: '^operator/src/(hospital|migration|platform|doctor|smoke)/' },
    },
    {
      name: 'backends-are-independent',
      severity: 'error',
      from: { path: '^operator/src/backends/([^/]+)/', pathNot },
      to: { path: '^operator/src/backends/[^/]+/', pathNot: '^operator/src/backends/$1/' },
    },
    {
      name: 'migration-builds-on-backends',
      severity: 'error',
      from: { path: '^operator/src/migration/', pathNot },
      to: { path: '^operator/src/(hospital|platform|doctor|smoke)/' },
    },
    {
      name: 'local-builds-on-packages',
      comment: 'The mail catcher refuses web pages as the gateway does.',
      severity: 'error',
      from: { path: '^local/', pathNot },
      to: { path: '^(services|operator|cli|test|bench)/', pathNot: '^services/gateway/src/admin/callers[.]ts$' },
    },
    {
      name: 'cli-builds-on-packages-and-local',
      comment: 'hmsctl doctor shows the findings of the operator, and its own in the same form.',
      severity: 'error',
      from: { path: '^cli/', pathNot },
      to: { path: '^(services|operator|test|bench)/', pathNot: '^operator/src/doctor/finding[.]ts$' },
    },
    {
      name: 'web-builds-on-packages',
      severity: 'error',
      from: { path: '^web/', pathNot },
      to: { path: '^(services|operator|local|cli|test|bench)/' },
    },
    {
      name: 'pages-run-in-browsers',
      comment: 'Only types of the server: what a page starts with.',
      severity: 'error',
      from: { path: '^web/(portal|console|tv|kit)/', pathNot },
      to: { path: '^(web/server/|packages/(?!(api-client|money)/))', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-kit-knows-no-page',
      severity: 'error',
      from: { path: '^web/kit/(?!i18n/(types|all-words))', pathNot },
      to: { path: '^web/(portal|console|tv|visit|landing)/' },
    },
    {
      name: 'entries-are-independent',
      severity: 'error',
      from: { path: '^web/(portal|console|tv|visit|landing)/', pathNot },
      to: { path: '^web/(portal|console|tv|visit|landing)/', pathNot: '^web/$1/' },
    },
    {
      name: 'who-freezes-the-platform-runs-alone',
      comment:
        'Other suites use the same processes at the same time. Move the suite to test/alone, or name it x.alone.test.ts.',
      severity: 'error',
      from: { pathNot: '[.]alone[.]test[.]ts$|^test/(alone|faults)/' },
      to: { path: '^test/support/signal[.]ts$' },
    },
    {
      name: 'no-undeclared-dependency',
      comment: 'A package that is imported stands in the package.json of its workspace or of the project.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(node_modules|coverage|\\.hms)' },
    parser: 'swc',
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
