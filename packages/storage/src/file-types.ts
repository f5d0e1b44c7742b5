/** The types of files that people upload, by how they begin. */

/** That people may upload. No SVG, which can contain scripts. */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp'];

/** As many as `typeOf` needs. */
export const FIRST_BYTES = 12;

/** Programs that are lenient about it would let a file be of two types. */
const BEGINNINGS: readonly (readonly [type: string, matches: (start: string) => boolean])[] = [
  ['application/pdf', (start) => start.startsWith('%PDF-')],
  ['image/jpeg', (start) => start.startsWith('\xff\xd8\xff')],
  ['image/png', (start) => start.startsWith('\x89PNG\r\n\x1a\n')],
  ['image/webp', (start) => start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP'],
];

/** The type of a file by its first bytes, or undefined if it is none of these. */
export function typeOf(firstBytes: Uint8Array): string | undefined {
  const start = Buffer.from(firstBytes).toString('latin1');
  return BEGINNINGS.find(([, matches]) => matches(start))?.[0];
}

const LOGOS: readonly (readonly [extension: string, type: string])[] = [
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
];

/** The type of a logo by the end of its name, or undefined if it is none that browsers show. */
export function typeOfLogo(key: string): string | undefined {
  return LOGOS.find(([extension]) => key.endsWith(`.${extension}`))?.[1];
}

/** What the name of a logo of a type ends in, or undefined if none can be of that type. */
export function extensionOfLogo(type: string | undefined): string | undefined {
  return LOGOS.find(([, own]) => own === type)?.[0];
}
