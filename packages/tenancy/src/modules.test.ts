import path from 'node:path';
import { expect, it } from '@jest/globals';
import { listProblems } from '../../../test/support/module-lists.ts';
import { MODULES, processNames } from './modules.ts';

it('are the same in the folders, the definition of hospitals, the chart and the lock file', () => {
  expect(listProblems(path.resolve(import.meta.dirname, '../../..'), MODULES)).toEqual([]);
});

it('have processes with the name of the module, numbered if there are several', () => {
  for (const module of MODULES) {
    const names = processNames(module);
    const numbered = names.map((_, index) => `${module.name}-${index + 1}`);
    expect(names).toEqual(names.length === 1 ? [module.name] : numbered);
  }
});
