import { expect, it } from '@jest/globals';
import { contrastToWhite, shadesOf } from './colors.ts';

it.each(['#0b7285', '#ffff00', '#ffffff', '#000000', '#e64980', '#12b886'])(
  'makes shades of %s that white text can be read on',
  (color) => {
    const shades = shadesOf(color);
    expect(shades).toHaveLength(10);
    for (const shade of shades.slice(6)) expect(contrastToWhite(shade)).toBeGreaterThanOrEqual(4.5);
  },
);

it('keeps a color that is dark enough', () => {
  expect(shadesOf('#0b5c6e')[6]).toBe('#0b5c6e');
});
