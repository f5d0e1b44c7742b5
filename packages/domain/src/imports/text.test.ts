/** Which encoding the bytes of a file have. */
import { describe, expect, it } from '@jest/globals';
import { decodeText, type Encoding, foreignWords, undamaged } from './text.ts';

/** The bytes of a text: Node encodes UTF-8 only, so the tables of the decoders are read backwards. */
function encode(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  return Buffer.concat(Array.from(text, (character) => Buffer.from(bytesOf(encoding).get(character) ?? [63])));
}

const tables = new Map<Encoding, Map<string, number[]>>();

function bytesOf(encoding: Encoding): Map<string, number[]> {
  const known = tables.get(encoding);
  if (known) return known;
  const decoder = new TextDecoder(encoding);
  const table = new Map<string, number[]>();
  const add = (bytes: number[]) => {
    const character = decoder.decode(Uint8Array.from(bytes));
    if ([...character].length === 1 && character !== '\ufffd' && !table.has(character)) table.set(character, bytes);
  };
  for (let one = 0; one < 256; one++) add([one]);
  for (let one = 0x81; one < 256; one++) for (let two = 0x40; two < 256; two++) add([one, two]);
  tables.set(encoding, table);
  return table;
}

const file = (...names: readonly string[]) =>
  `firstName,lastName,phone,dateOfBirth\r\n${names.map((name) => `${name},+351912345678,1980-02-28\r\n`).join('')}`;

const FILES: readonly (readonly [Encoding, string])[] = [
  ['windows-1252', file('José,Araújo', 'Inês,Conceição', 'François,Lefèvre', 'Jürgen,Müller', 'Åsa,Sjöström')],
  ['windows-1250', file('Łukasz,Wiśniewski', 'Žofie,Dvořáková', 'Małgorzata,Kowalczyk', 'Jiří,Němec')],
  ['windows-1251', file('Иван,Щербаков', 'Мария,Кузнецова', 'Алексей,Соловьёв', 'Ольга,Васильева')],
  ['koi8-r', file('Иван,Щербаков', 'Мария,Кузнецова', 'Алексей,Соловьёв', 'Ольга,Васильева')],
  ['windows-1253', file('Γιώργος,Παπαδόπουλος', 'Μαρία,Οικονόμου', 'Ελένη,Γεωργίου')],
  ['windows-1254', file('Ayşe,Yılmaz', 'Çağlar,Şahin', 'Gökhan,Öztürk', 'İbrahim,Güneş')],
  ['windows-1255', file('משה,כהן', 'שרה,לוי', 'יוסף,מזרחי', 'רחל,פרץ')],
  ['windows-1256', file('محمد,الحسيني', 'فاطمة,العلي', 'أحمد,إبراهيم', 'عائشة,القحطاني')],
  ['shift_jis', file('太郎,佐藤', '花子,鈴木', 'たかし,ワタナベ')],
  ['gb18030', file('小明,王', '丽,张', '建国,刘', '秀英,陈')],
  ['euc-kr', file('민준,김', '서연,이', '지훈,박', '하은,최')],
];

/** Turkish letters are Icelandic ones in Windows-1252, and a few Hebrew names look Greek: a person sees it. */
const PROPOSED = FILES.filter(([encoding]) => encoding !== 'windows-1254' && encoding !== 'windows-1255');

describe('without a mark', () => {
  it.each(PROPOSED)('%s is proposed, for a person to confirm', (encoding, text) => {
    expect(decodeText(encode(text, encoding))).toEqual({ encoding, text, isCertain: false });
  });

  it.each(FILES)('%s is read when a person has chosen it', (encoding, text) => {
    expect(decodeText(encode(text, encoding), encoding)).toEqual({ encoding, text, isCertain: true });
  });

  it('one accent in a file is enough', () => {
    const text = file('Jane,Smith', 'José,Silva');
    expect(decodeText(encode(text, 'windows-1252'))).toMatchObject({ text, isCertain: false });
  });

  it('UTF-8 and ASCII are certain', () => {
    for (const text of [file('Jane,Smith'), file('José,王', 'محمد,Łukasz')]) {
      expect(decodeText(encode(text, 'utf-8'))).toEqual({ encoding: 'utf-8', text, isCertain: true });
    }
  });
});

describe.each(['utf-16le', 'utf-16be'] as const)('%s', (encoding) => {
  it.each(['', '\ufeff'])('is certain, with and without its mark', (mark) => {
    for (const text of [file('José,Silva'), file('王,小明', '王,小明')]) {
      expect(decodeText(encode(mark + text, encoding))).toEqual({ encoding, text, isCertain: true });
    }
  });
});

it.each([
  ['a workbook', [0x50, 0x4b, 3, 4, 0, 0], 'workbook'],
  ['an old workbook', [0xd0, 0xcf, 0x11, 0xe0], 'workbook'],
  ['bytes with zeros', [...Buffer.from('a,b\n\0\0\0,c\n')], 'encoding'],
])('%s is no text', (_what, bytes, problem) => {
  expect(decodeText(Uint8Array.from(bytes))).toEqual({ problem });
});

it('a file that is not in the chosen encoding is refused', () => {
  expect(decodeText(encode(file('José,Silva'), 'windows-1252'), 'utf-8')).toEqual({ problem: 'encoding' });
});

it('finds the words by which a person judges', () => {
  expect(foreignWords('Ana,José,1980\n"O’Brien";Łukasz\n')).toEqual(['José', 'O’Brien', 'Łukasz']);
});

it.each([
  ['JosÃ©', 'José'],
  ['MÃ¼ller', 'Müller'],
  ['MÃƒÂ¼ller', 'Müller'],
  ['Ù…Ø­Ù…Ø¯', 'محمد'],
  ['Å\u0081ukasz', 'Łukasz'],
])('%s was UTF-8 once', (damaged, right) => expect(undamaged(damaged)).toBe(right));

it.each(['José', 'SÃO', 'MÃE', 'Ångström', 'محمد', 'Grâce', 'Jane'])('%s is right as it is', (text) =>
  expect(undamaged(text)).toBeUndefined(),
);
