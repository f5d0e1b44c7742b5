/** All colors of the pages with a login, and the shades of a color. Pure. */

/** The color of a hospital that has chosen none, and of the platform. */
export const OWN = '#0b5c6e';

/** What a color says. `c="bad"`, `color="bad"` and `var(--mantine-color-bad-text)` are the right shade in each scheme. */
export const MEANINGS = {
  good: '#1d6b2f',
  warning: '#8a3a00',
  bad: '#b3261e',
  info: '#1864ab',
  pending: '#5f3dc4',
  quiet: '#495057',
} as const;

/** Texts, lines and surfaces, by color scheme. */
export interface Surfaces {
  readonly text: string;
  readonly dimmed: string;
  readonly placeholder: string;
  readonly line: string;
  /** Of panels, fields and dialogs. */
  readonly surface: string;
  /** Behind the panels. */
  readonly page: string;
  /** Of what is quieter than a panel, and of the lines of a grid. */
  readonly soft: string;
  /** Of the letters that a search found. */
  readonly mark: string;
  /** Of what needs attention, and of its stripes. */
  readonly warned: string;
  readonly warnedMore: string;
}

export const LIGHT: Surfaces = {
  text: '#17212b',
  dimmed: '#4b5663',
  placeholder: '#69737e',
  line: '#d0d7de',
  surface: '#ffffff',
  page: '#f3f5f7',
  soft: '#ebeff2',
  mark: '#ffe9a8',
  warned: '#fff3e0',
  warnedMore: '#ffe8c7',
};

export const DARK: Surfaces & { readonly raised: string } = {
  text: '#e3e8ed',
  dimmed: '#aeb9c3',
  placeholder: '#9aa6b1',
  line: '#414c57',
  surface: '#1a2128',
  page: '#11171c',
  soft: '#2a333c',
  mark: '#3d3200',
  warned: '#33261a',
  warnedMore: '#402f20',
  // Fields and menus.
  raised: '#232b33',
};

/** Has `light` or `dark` of somebody who has chosen one. */
export const COLOR_SCHEME_COOKIE = '__Host-hms-colors';

/** What nobody may overlook, in each scheme. Its text is black. */
export const ALARM = '#ffc94d';

/** WCAG 2.2, for text of any size. */
const CONTRAST = 4.5;
/** Contrast to white of a surface with white text among dark ones. Darker ones would not stand out. */
const FILLED = 5.5;
/** Contrast to white of text on dark surfaces. It is the more readable, the nearer to white it is. */
const ON_DARK = 2.7;

/**
 * Ten shades. The seventh is the color, or the nearest darker one that white text can be read on. The sixth is the same
 * among dark surfaces, and the fifth can be read on them.
 */
export function shadesOf(color: string): readonly string[] {
  let base = channels(color);
  while (contrastToWhite(hex(base)) < CONTRAST) base = mix(base, BLACK, 0.04);
  const light = [0.92, 0.84, 0.68, 0.5].map((share) => mix(base, WHITE, share));
  const dark = [0.16, 0.3, 0.44].map((share) => mix(base, BLACK, share));
  return [...light, lighter(base, ON_DARK), lighter(base, FILLED), base, ...dark].map(hex);
}

type Rgb = readonly [number, number, number];
const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/** @param most contrast to white that the result has. */
function lighter(color: Rgb, most: number): Rgb {
  let result = color;
  while (contrastToWhite(hex(result)) > most) result = mix(result, WHITE, 0.04);
  return result;
}

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
