/** The alerts, evaluated by Prometheus's own engine. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { $ } from 'zx';
import { tool } from '../../../test/support/tools.ts';

const file = (name: string) => path.join(import.meta.dirname, name);
const promtool = (...args: readonly string[]) => $({ quiet: true })`${tool('promtool')} ${args}`.text();

it('are valid rules', async () => {
  expect(await promtool('check', 'rules', file('alerts.yaml'))).toMatch(/SUCCESS: \d+ rules found/);
});

it('fire when they should, and not before', async () => {
  expect(await promtool('test', 'rules', file('alerts.test.yaml'))).toContain('SUCCESS');
});

it('are all among the tests', () => {
  interface Rules {
    readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
  }
  interface Tests {
    readonly tests: readonly {
      readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[];
    }[];
  }
  const rules: Rules = parse(readFileSync(file('alerts.yaml'), 'utf8'));
  const { tests }: Tests = parse(readFileSync(file('alerts.test.yaml'), 'utf8'));
  const fired = tests.flatMap((test) => test.alert_rule_test.filter((one) => one.exp_alerts.length > 0));
  const names = rules.groups.flatMap((group) => group.rules.map(({ alert }) => alert));
  expect([...new Set(fired.map(({ alertname }) => alertname))].sort()).toEqual(names.sort());
});
