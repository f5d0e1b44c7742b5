import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ALARM, contrastToWhite, DARK, LIGHT, MEANINGS, OWN, shadesOf } from './colors.ts';

const READABLE = 4.5;
const BLACK = '#000000';

function contrast(one: string, other: string): number {
  const ratio = contrastToWhite(one) / contrastToWhite(other);
  return Math.max(ratio, 1 / ratio);
}

describe.each(['#0b7285', '#ffff00', '#ffffff', '#000000', '#e64980', '#12b886', OWN, ...Object.values(MEANINGS)])(
  'the shades of %s',
  (color) => {
    const shades = shadesOf(color);

    it('are ten, and white text can be read on the dark ones', () => {
      expect(shades).toHaveLength(10);
      for (const shade of shades.slice(5)) expect(contrastToWhite(shade)).toBeGreaterThanOrEqual(READABLE);
    });

    it('have one that can be read on every dark surface', () => {
      for (const surface of [DARK.surface, DARK.page, DARK.raised, DARK.soft, DARK.warned])
        expect(contrast(shades[4] ?? '', surface)).toBeGreaterThanOrEqual(READABLE);
    });
  },
);

it('keeps a color that is dark enough', () => {
  expect(shadesOf(OWN)[6]).toBe(OWN);
});

it.each(Object.entries(MEANINGS))('shows what is %s readably on every light surface', (_, color) => {
  expect(shadesOf(color)[6]).toBe(color);
  for (const surface of [LIGHT.surface, LIGHT.page, LIGHT.soft, LIGHT.warned, LIGHT.warnedMore])
    expect(contrast(color, surface)).toBeGreaterThanOrEqual(READABLE);
});

it.each(Object.entries({ LIGHT, DARK }))('has readable text on every surface: %s', (_, scheme) => {
  for (const surface of [scheme.surface, scheme.page, scheme.soft, scheme.mark, scheme.warned, scheme.warnedMore])
    for (const text of [scheme.text, scheme.dimmed]) expect(contrast(text, surface)).toBeGreaterThanOrEqual(READABLE);
  expect(contrast(scheme.placeholder, scheme.surface)).toBeGreaterThanOrEqual(READABLE);
});

it('has readable text on the alarm', () => {
  expect(contrast(BLACK, ALARM)).toBeGreaterThanOrEqual(READABLE);
});

/** Sources of the pages with a login. The words of a page may name a color, and `plain` is the look of other pages. */
function sourcesIn(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) => /\.(tsx?|css|html)$/.test(file) && !/(^|\/)(words|plain)\/|\.test\.ts$|^ui\/colors\.ts$/.test(file),
    )
    .map((file) => path.join(folder, file));
}

it('is the only place where a color is written', () => {
  const web = path.resolve(import.meta.dirname, '../..');
  const files = ['portal', 'console', 'kit'].flatMap((folder) => sourcesIn(path.join(web, folder)));
  expect(files.length).toBeGreaterThan(300);
  const written = files.flatMap((file) =>
    (fs.readFileSync(file, 'utf8').match(/#([0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b/gi) ?? []).map(
      (color) => `${path.relative(web, file)}: ${color}`,
    ),
  );
  expect(written).toEqual([]);
});
