/** Shades of a color. Pure. */

/** WCAG 2.2, for text of any size. */
const CONTRAST = 4.5;

/** Ten shades, the seventh of which is the color, or the nearest darker one that white text can be read on. */
export function shadesOf(color: string): readonly string[] {
  let base = channels(color);
  while (contrastToWhite(hex(base)) < CONTRAST) base = mix(base, BLACK, 0.04);
  const light = [0.92, 0.84, 0.68, 0.5, 0.32, 0.15].map((share) => mix(base, WHITE, share));
  const dark = [0.16, 0.3, 0.44].map((share) => mix(base, BLACK, share));
  return [...light, base, ...dark].map(hex);
}

type Rgb = readonly [number, number, number];
const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

function channels(color: string): Rgb {
  const [r = 0, g = 0, b = 0] = (color.match(/[0-9a-f]{2}/gi) ?? []).map((part) => Number.parseInt(part, 16));
  return [r, g, b];
}

function mix(one: Rgb, other: Rgb, share: number): Rgb {
  return one.map((value, index) => value * (1 - share) + (other[index] ?? 0) * share) as unknown as Rgb;
}

function hex(color: Rgb): string {
  return `#${color.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}

/** Contrast ratio of WCAG. @param color such as #0b7285 */
export function contrastToWhite(color: string): number {
  const [r = 0, g = 0, b = 0] = channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
}
