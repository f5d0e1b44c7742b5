/** Programs that check. test/run/tools.ts has got them before the suites started. */

/** Values: paths of programs. For verapdf and fhirValidator a class path, for schemathesis a folder for PYTHONPATH. */
export type Tool = 'helm' | 'promtool' | 'verapdf' | 'fhirValidator' | 'schemathesis' | 'chromium' | 'zsh' | 'fish';

export const TOOLS_VARIABLE = 'HMS_TEST_TOOLS';

/** @throws Error if the suite runs without `npm test`. */
export function tool(name: Tool): string {
  const tools = JSON.parse(process.env[TOOLS_VARIABLE] ?? '{}') as Partial<Record<Tool, string>>;
  const found = tools[name];
  if (found === undefined) throw new Error(`There is no ${name}: run the suite with npm test, which gets it first.`);
  return found;
}
