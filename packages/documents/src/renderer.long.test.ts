import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { poll } from '@hms/local';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Renderer } from './renderer.ts';
import { readPages } from './testing/read.ts';
import { DISPENSE_LABELS, type Sample, SCRIPTS, sample } from './testing/samples.ts';

const renderer = new Renderer({ processes: 2 });
afterAll(() => renderer.end());

const render = ({ data, options }: Sample) => renderer.render('patient-summary', data, options);
const textOf = async (pdf: Uint8Array) => (await readPages(pdf)).map(({ text }) => text).join('');
const { data, options } = sample();

it('gives the same bytes for the same input, in any process', async () => {
  const [first, second] = await Promise.all([render(sample()), render(sample())]);
  expect(first.pdf).toEqual(second.pdf);
  expect(first.sha256).toBe(second.sha256);
  expect(first.sha256).toMatch(/^[0-9a-f]{64}$/);
  const later = await renderer.render('patient-summary', data, { ...options, createdAt: new Date('2026-11-23') });
  expect(later.sha256).not.toBe(first.sha256);
});

describe('scripts', () => {
  it.each([
    ['Latin', 'NotoSans', ["St. Mary's Hospital", 'Zoë Müller-Øster', '+62 812 3456 7890', 'Müller (FAM-000017)']],
    ['Arabic', 'NotoSansArabic', ['+62 812 3456 7890', '42', 'FAM-000017', '١٢٣', '١٩٩٠']],
    ['Thai', 'NotoSansThai', ['สมชาย', '17 พฤษภาคม 2533']],
    ['Devanagari', 'NotoSans', ['1990', 'जन्म']],
  ] as const)('%s is drawn with the glyphs of its font', async (script, font, texts) => {
    const { pdf, missing } = await render(SCRIPTS[script]);
    const [page] = await readPages(pdf);
    expect(missing).toEqual([]);
    for (const name of [`${font}-Regular`, `${font}-Bold`]) expect(page?.fonts.get(name)?.size).toBeGreaterThan(5);
    for (const glyphs of page?.fonts.values() ?? []) expect(glyphs).not.toContain(0);
    for (const text of texts) expect(page?.text).toContain(text);
  });

  it.each([
    ['Hebrew', 'NotoSansHebrew'],
    ['Bengali', 'NotoSansBengali'],
    ['Tamil', 'NotoSansTamil'],
    ['Sinhala', 'NotoSansSinhala'],
    ['Georgian', 'NotoSansGeorgian'],
    ['Ethiopic', 'NotoSansEthiopic'],
    ['Khmer', 'NotoSansKhmer'],
    ['Armenian', 'NotoSansArmenian'],
    ['Lao', 'NotoSansLao'],
    ['Myanmar', 'NotoSansMyanmar'],
    ['Telugu', 'NotoSansTelugu'],
    ['Kannada', 'NotoSansKannada'],
    ['Malayalam', 'NotoSansMalayalam'],
    ['Gujarati', 'NotoSansGujarati'],
    ['Gurmukhi', 'NotoSansGurmukhi'],
    ['Oriya', 'NotoSansOriya'],
    ['Thaana', 'NotoSansThaana'],
    ['Tibetan', 'NotoSerifTibetan'],
    ['Simplified', 'NotoSansSC'],
    ['Traditional', 'NotoSansTC'],
    ['Japanese', 'NotoSansJP'],
    ['Korean', 'NotoSansKR'],
  ] as const)('%s is drawn with %s alone, in regular and bold', async (script, font) => {
    const { data: shown, options: how } = SCRIPTS[script];
    const { pdf, missing } = await render(SCRIPTS[script]);
    const [page] = await readPages(pdf);
    expect(missing).toEqual([]);
    const used = [...(page?.fonts.keys() ?? [])].filter((name) => !/^NotoSans-/.test(name));
    expect(used.toSorted()).toEqual([`${font}-Bold`, `${font}-Regular`]);
    // A box for each sign would be one glyph.
    const signs = new Set(`${shown.name}${how.branding.hospital}`.match(/\p{L}/gu));
    for (const name of used) expect(page?.fonts.get(name)?.size).toBeGreaterThan(signs.size / 3);
    for (const glyphs of page?.fonts.values() ?? []) expect(glyphs).not.toContain(0);
    expect(shareRead([...signs].join(''), page?.text ?? '')).toBeGreaterThan(0.8);
  });

  it.each([
    ['Yoruba and Vietnamese', 'Ọláńrewájú Ẹ̀ṣọ́ Nguyễn Thị Hường'],
    ['marks apart from their letters', 'Zoe\u0308 か\u3099 \u1112\u1161\u11ab'],
    ['rare Han', '𠮷野家 﨑 髙 㐂'],
    ['a chosen form of Han', '葛\u{e0100}飾'],
    ['the width of East Asia', 'Ａ１２３（株）、①㎎℃'],
    ['signs of laboratories', '≤5 ≥6 → ↑ ↓ ≈ ∞ √ µ ² ½ ♂ ♀ ✓ ☐ ● ₹ ₪ ₾'],
    ['five scripts at once', 'Ann 山田 김 שרה عبد ნინო'],
  ])('are drawn: %s', async (_kind, name) => {
    const { pdf, missing } = await render(sample({ name }));
    expect(missing).toEqual([]);
    const [page] = await readPages(pdf);
    for (const glyphs of page?.fonts.values() ?? []) expect(glyphs).not.toContain(0);
    expect(shareRead(name, page?.text ?? '')).toBeGreaterThan(0.8);
  });

  it('has the shapes of Han of the language of the document, and those of mainland China otherwise', async () => {
    const fontsIn = async (language: string) => {
      const [page] = await readPages((await render(sample({ name: '骨海' }, {}, language))).pdf);
      return [...(page?.fonts.keys() ?? [])].filter((name) => !name.startsWith('NotoSans-'));
    };
    const languages = ['en', 'zh', 'zh-CN', 'zh-TW', 'zh-HK', 'zh-Hant', 'zh-Hans-TW', 'ja', 'ja-JP', 'ko-KR', 'yue'];
    const found = await Promise.all(languages.map(async (language) => [language, await fontsIn(language)]));
    const [sc, tc, jp, kr] = ['SC', 'TC', 'JP', 'KR'].map((region) => [`NotoSans${region}-Bold`]);
    const [plain, taiwan] = [
      { en: sc, zh: sc, 'zh-CN': sc, 'zh-Hans-TW': sc },
      { 'zh-TW': tc, 'zh-HK': tc, 'zh-Hant': tc, yue: tc },
    ];
    expect(Object.fromEntries(found)).toEqual({ ...plain, ...taiwan, ja: jp, 'ja-JP': jp, 'ko-KR': kr });
  });

  it('keep the joined letters of a long word together', async () => {
    const word = 'ஸ்ரீகிருஷ்ணமூர்த்திலக்ஷ்மணசுந்தரராஜன்';
    const glyphs = async (name: string) => {
      const [page] = await readPages((await render(sample({ name, facts: [] }))).pdf);
      return page?.fonts.get('NotoSansTamil-Bold');
    };
    const parts = word.match(/.{1,19}/gu)?.join(' ') ?? '';
    expect(await glyphs(word)).toEqual(await glyphs(parts));
    expect((await glyphs(word))?.size).toBeGreaterThan(10);
  });

  it.each([
    ['😀 Ann', ['😀'], '[U+1F600] Ann'],
    ['a family: 👩‍👩‍👧!', ['👩', '👧'], 'a family: [U+1F469][U+1F469][U+1F467]!'],
    ['\u0007', ['\u0007'], '[U+0007]'],
    ['x\ue000', ['\ue000'], 'x[U+E000]'],
    ['𓀀 U+0041', ['𓀀'], '[U+13000] U+0041'],
    ['ශ්‍රී 👩‍👧', ['👩', '👧'], '[U+1F469][U+1F467]'],
  ])('that no font has are printed as codes, and reported: %j', async (name, codes, text) => {
    const { pdf, missing } = await render(sample({ name }));
    expect(new Set(missing)).toEqual(new Set(codes));
    expect(await textOf(pdf)).toContain(text);
    for (const page of await readPages(pdf)) for (const glyphs of page.fonts.values()) expect(glyphs).not.toContain(0);
  });

  it('never use a font of the machine, or one that the compiler brings', async () => {
    const { pdf } = await render(sample({ name: 'שלום 山 😀' }));
    const [page] = await readPages(pdf);
    for (const name of page?.fonts.keys() ?? []) expect(name).toMatch(/^NotoSans(Hebrew|SC)?-/);
  });
});

it.each([
  ['en-IE', 'left'],
  ['es-419', 'left'],
  ['zh-Hant-TW', 'left'],
  ['ar-EG', 'right'],
  ['az-Arab', 'right'],
])('in %s begins at the %s', async (language, side) => {
  const [page] = await readPages((await render(sample({}, {}, language))).pdf);
  expect(page?.start).toBeGreaterThan(0);
  expect(Number(page?.start) < 100 ? 'left' : 'right').toBe(side);
});

describe('data', () => {
  it.each([
    '#panic("x")',
    '*bold* _italic_ $x^2$ `code` = heading',
    'a ] b } c ) d [ e { f (',
    'a " b \' c \\ d \\n e \\u{41} // f /* g',
    '#image("/layout.typ") #sys.inputs <label> @label',
  ])('is printed as it is: %s', async (text) => {
    const { pdf } = await render(sample({ name: text, facts: [[text, text]] }, { hospital: text }));
    expect((await textOf(pdf)).split(text)).toHaveLength(5);
  });

  it('has what is below the name of the hospital on each page, in at most two lines', async () => {
    const contact = ['1 Main Street', 'Dublin', '+353 1 555 1234', 'Registration number HSE-12'];
    const { data, options } = sample({}, { contact });
    const text = await textOf((await renderer.render('patient-summary', data, options)).pdf);
    for (const line of contact) expect(text).toContain(line);
    const long = sample({}, { contact: Array.from({ length: 20 }, (_, index) => `Street of many names ${index}`) });
    const cut = await renderer.render('patient-summary', long.data, long.options);
    expect(await textOf(cut.pdf)).toContain('Phone');
  });

  it('may be long, or have lines and directions', async () => {
    const long = 'lorem ipsum '.repeat(900);
    const { pdf, missing } = await render(
      sample({
        name: 'a\u202eb\u2066c\u2069\u202cd',
        facts: [
          ['long', long],
          ['lines', 'one\ntwo'],
          ['unbroken', 'z'.repeat(10_000)],
        ],
      }),
    );
    const text = await textOf(pdf);
    expect(missing).toEqual([]);
    expect(text.match(/lorem/g)).toHaveLength(900);
    expect(text.match(/z/g)).toHaveLength(10_000);
    expect(text).toContain('onetwo');
  });

  it('stays on the paper without a space', async () => {
    const pages = await readPages((await render(sample({ facts: [['unbroken', 'z'.repeat(10_000)]] }))).pdf);
    // One endless line would be one page.
    expect(pages.length).toBeGreaterThan(1);
  });

  it('flows to more pages, with their numbers', async () => {
    const facts = Array.from({ length: 60 }, (_, index) => [`Fact ${index};`, `Value ${index};`] as const);
    const name = 'Maximiliane-Alexandra '.repeat(10).slice(0, 200);
    const pages = await readPages((await render(sample({ name, facts }))).pdf);
    expect(pages.length).toBeGreaterThan(1);
    for (const [index, { text }] of pages.entries()) expect(text).toContain(`${index + 1} / ${pages.length}`);
    const all = pages.map(({ text }) => text).join('');
    for (const [label, value] of facts) expect(all).toContain(`${label}${value}`);
  });
});

describe('labels of what is dispensed', () => {
  const pagesOf = async ({ data, options }: (typeof DISPENSE_LABELS)[string]) =>
    readPages((await renderer.render('dispense-labels', data, options)).pdf);

  it.each(Object.entries(DISPENSE_LABELS))(
    'cut no drug and no instructions: %s',
    async (_script, { data, options }) => {
      const marks = (letter: string, count: number) =>
        Array.from({ length: count }, (_, index) => `${letter}${100 + index}${letter}`);
      const [longest] = data.labels.slice(-1);
      if (!longest) throw new Error('the sample has no label');
      const [drug, instructions] = [marks('d', 30), marks('w', 50)];
      const label = { ...longest, drug: drug.join(' '), instructions: instructions.join(' ') };
      const pages = await pagesOf({ data: { ...data, labels: [label] }, options });
      const text = pages.map((page) => page.text).join('');
      expect([...drug, ...instructions].filter((mark) => !text.includes(mark))).toEqual([]);
      expect(pages.length).toBeGreaterThan(1);
      for (const [index, page] of pages.entries()) expect(page.text).toContain(`${index + 1}/${pages.length}`);
    },
  );

  it('need no more than one for usual texts, each with the patient and the batch', async () => {
    const { Latin } = DISPENSE_LABELS;
    if (!Latin) throw new Error('no sample in Latin');
    const pages = await pagesOf({ ...Latin, data: { ...Latin.data, labels: Latin.data.labels.slice(0, 2) } });
    expect(pages).toHaveLength(2);
    for (const { text } of pages) expect(text).toMatch(/Zoë Müller-Øster.*HSP-000123.*B-2041/);
  });
});

describe('a logo', () => {
  const svg = (inner: string, head = '') =>
    Buffer.from(`${head}<svg xmlns="http://www.w3.org/2000/svg" width="30" height="10">${inner}</svg>`);
  const withLogo = (logo: Uint8Array) => render(sample({}, { logo }));
  const withoutLogo = render(sample());

  it.each([
    ['PNG', png(30, 10)],
    ['SVG', svg('<rect width="30" height="10" fill="red"/>')],
    [
      'wide SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 9"><rect width="9" height="9"/></svg>'),
    ],
  ])('is printed: %s', async (_type, logo) => {
    const rendered = await withLogo(logo);
    expect(rendered.logoError).toBeUndefined();
    expect(rendered.sha256).not.toBe((await withoutLogo).sha256);
  });

  it.each([
    ['text', Buffer.from('hello'), /is PNG, JPEG, WebP or SVG/],
    ['nothing', Buffer.alloc(0), /is PNG, JPEG, WebP or SVG/],
    ['another kind of picture', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), /not gif/],
    ['a broken PNG', png(30, 10).subarray(0, 50), /failed to decode/],
    ['a PNG of 10 gigapixels', png(100_000, 100_000, Buffer.alloc(10)), /at most 25000000 pixels/],
    [
      'an SVG with an external entity',
      svg('<text>&x;</text>', '<!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
      /entity/,
    ],
    ['an SVG that reads a file', svg('<image href="/etc/hostname" width="9" height="9"/>'), /absolute paths/],
    ['an SVG that leaves the templates', svg('<image href="../package.json" width="9" height="9"/>'), /failed to load/],
    ['an SVG with a character without a glyph', svg('<text y="9">\u0e00</text>'), /could not be displayed/],
  ])('is left out if it is %s', async (_kind, logo, error) => {
    const rendered = await withLogo(logo);
    expect(rendered.logoError).toMatch(error);
    expect(rendered.sha256).toBe((await withoutLogo).sha256);
  });

  it('calls no address', async () => {
    let calls = 0;
    const server = createServer((_request, response) => {
      calls++;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const rendered = await withLogo(svg(`<image href="http://127.0.0.1:${port}/a.png" width="9" height="9"/>`));
    expect(rendered.logoError).toMatch(/URLs are not allowed/);
    expect(calls).toBe(0);
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('a template', () => {
  const templates = path.join(import.meta.dirname, 'testing', 'templates');

  it('that loops is ended, with its process, and the next document is rendered', async () => {
    const small = new Renderer({ templates, timeoutMs: 2000 });
    const first = small.render('loop' as 'patient-summary', data, options);
    const [looping = 0] = small.processes;
    await expect(first).rejects.toThrow('template loop: not rendered within 2000 ms');
    await expect(small.render('short' as 'patient-summary', data, options)).resolves.toMatchObject({ missing: [] });
    expect(() => process.kill(looping, 0)).toThrow('ESRCH');
    await small.end();
  });

  it('that is wrong is named', async () => {
    const small = new Renderer({ templates });
    await expect(small.render('wrong' as 'patient-summary', data, options)).rejects.toThrow(
      /template wrong: .*unknown variable: undefined-name/,
    );
    await small.end();
  });
});

it('ends its processes when there is nothing to do', async () => {
  const idle = new Renderer({ idleMs: 100 });
  await idle.render('patient-summary', data, options);
  expect(idle.processes).toHaveLength(1);
  await poll(() => (idle.processes.length === 0 ? true : undefined), { timeout: 10_000 });
  expect(idle.processes).toEqual([]);
  await idle.render('patient-summary', data, options);
  await idle.end();
  expect(idle.processes).toEqual([]);
});

/** The share of the letters that are in the file's text. A glyph of two letters has only their common text. */
function shareRead(letters: string, text: string): number {
  const read = new Set(text.normalize('NFKD'));
  const signs = letters.normalize('NFKD').match(/[\p{L}\p{N}\p{S}]/gu) ?? [];
  return signs.filter((sign) => read.has(sign)).length / signs.length;
}

/** In gray, with `pixels` instead of its own ones. */
function png(width: number, height: number, pixels = Buffer.alloc((width + 1) * height)): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
