/** Reads documents with PDF.js. */
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';

export interface Page {
  /** Its signs in the order in which they are drawn, without invisible ones. */
  readonly text: string;
  /** Names of the fonts, such as `NotoSans-Bold`, with the numbers of their glyphs. 0 is the sign for a missing glyph. */
  readonly fonts: ReadonlyMap<string, ReadonlySet<number>>;
  /** Where its first text begins, in points from the left edge. */
  readonly start: number;
}

interface Glyph {
  readonly originalCharCode: number;
  readonly unicode: string;
}

export async function readPages(pdf: Uint8Array): Promise<readonly Page[]> {
  const { OPS } = await getResolvedPDFJS();
  const document = await getDocumentProxy(pdf.slice());
  const pages: Page[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { fnArray, argsArray } = await page.getOperatorList();
    const fonts = new Map<string, Set<number>>();
    let font = new Set<number>();
    let text = '';
    for (const [index, operation] of fnArray.entries()) {
      if (operation === OPS.setFont) {
        const { name } = page.commonObjs.get(argsArray[index][0]);
        font = fonts.get(name.replace(/^[A-Z]{6}\+/, '')) ?? new Set();
        fonts.set(name.replace(/^[A-Z]{6}\+/, ''), font);
      } else if (operation === OPS.showText) {
        const glyphs: readonly (Glyph | number)[] = argsArray[index][0];
        for (const glyph of glyphs) {
          if (typeof glyph === 'number') continue;
          font.add(glyph.originalCharCode);
          text += glyph.unicode;
        }
      }
    }
    const [first] = (await page.getTextContent()).items;
    const start = first && 'transform' in first ? Number(first.transform[4]) : Number.NaN;
    pages.push({ text: text.replaceAll('\u200b', ''), fonts, start });
  }
  await document.loadingTask.destroy();
  return pages;
}
