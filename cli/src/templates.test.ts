import { describe, expect, it } from '@jest/globals';
import { customColumns, jsonPath } from './templates.ts';

const hospital = (name: string, ready: string) => ({
  metadata: { name, annotations: { 'hms.dev/paused': 'true' } },
  spec: { roles: ['A', 'B'], 'a-b': 1 },
  status: {
    conditions: [
      { type: 'Synced', status: 'False' },
      { type: 'Ready', status: ready },
    ],
  },
});
const list = { kind: 'List', items: [hospital('st-mary', 'True'), hospital('hope', 'False')] };

describe('a JSONPath template', () => {
  it.each([
    ['{.items[*].metadata.name}', 'st-mary hope'],
    ['{$.items[0].metadata.name}', 'st-mary'],
    ['{.items[-1:].metadata.name}', 'hope'],
    ['names: {.items[*].metadata.name}!', 'names: st-mary hope!'],
    ['{range .items[*]}{.metadata.name}{"\\t"}{.spec.roles}{"\\n"}{end}', 'st-mary\t["A","B"]\nhope\t["A","B"]\n'],
    ['{.items[?(@.metadata.name=="hope")].spec.roles[0]}', 'A'],
    ['{.items[0].status.conditions[?(@.type=="Ready")].status}', 'True'],
    ["{.items[0].status.conditions[?(@.type=='Ready')].status}", 'True'],
    ['{.items[0].metadata.annotations.hms\\.dev/paused}', 'true'],
    ['{.items[0].spec.a-b}', '1'],
    ['{.items[?(@.spec.a-b==1)].metadata.name}', 'st-mary hope'],
    ["{.items[0]['kind','metadata'].name}", 'st-mary'],
    ['{..name}', 'st-mary hope'],
    ['{range .items[*]}{range .spec.roles[*]}{@}{","}{end}{";"}{end}', 'A,B,;A,B,;'],
    ['{.kind}{"}"}{.nothing.here}', 'List}'],
    ['{.kind .items[0].metadata.name}', 'Listst-mary'],
  ])('%s prints %j', (template, text) => {
    expect(jsonPath(template)(list)).toBe(text);
  });

  it.each([
    ['.metadata.name', /no expression in braces/],
    ['{.metadata', /not closed/],
    ['{range .items[*]}x', /without \{end\}/],
    ['x{end}', /without \{range/],
    ['{metadata.name}', /begin it with a dot/],
    ['{.items[?(@.a ==)]}', /is no path/],
  ])('%s is refused with what is wrong', (template, why) => {
    expect(() => jsonPath(template)(list)).toThrow(why);
  });

  it('runs no code of the template', () => {
    expect(() => jsonPath('{.items[?(@.constructor.constructor("return process")().exit(7))]}')(list)).toThrow();
  });
});

describe('custom columns', () => {
  it('have a heading and a path each, and <none> where a value is missing', () => {
    const print = customColumns('NAME:.metadata.name,READY:.status.conditions[?(@.type=="Ready")].status,X:.spec.x');
    expect(print(list.items)).toEqual([
      ['NAME', 'READY', 'X'],
      ['st-mary', 'True', '<none>'],
      ['hope', 'False', '<none>'],
    ]);
  });

  it.each([['NAME'], [':.metadata.name'], ['NAME:'], ['NAME:metadata.name']])('%s are refused', (template) => {
    expect(() => customColumns(template)).toThrow(/write HEADING:\.path|begin it with a dot/);
  });
});
