/**
 * Makes the spoken numbers of televisions: for each language one file with all words, and where each of them is. Run it
 * after a change of the words, and commit the result. It needs espeak-ng, sox and lame.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Between two words, in seconds. A player may begin a word a little late. */
const GAP = 0.25;
const RATE = 16_000;
/** Where a word begins: at 0.6 % of the loudest. */
const EDGE = ['silence', '1', '0.01', '0.6%'];

interface Voice {
  /** Of espeak-ng. */
  readonly name: string;
  /** Words a minute. */
  readonly speed: number;
  readonly words: Readonly<Record<string, string>>;
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const words = (keys: readonly string[], text: string) =>
  Object.fromEntries(text.split(' ').map((word, index) => [keys[index], word]));
const DIGITS = [...'0123456789'];

const VOICES: Readonly<Record<string, Voice>> = {
  en: {
    ...{ name: 'en-gb', speed: 135 },
    words: {
      ...{ number: 'Number', room: 'Room' },
      ...words(DIGITS, 'zero one two three four five six seven eight nine'),
      ...Object.fromEntries(LETTERS.map((one) => [one, `<say-as interpret-as="characters">${one}</say-as>`])),
    },
  },
  ar: {
    ...{ name: 'ar', speed: 125 },
    words: {
      ...{ number: 'الرَّقَم', room: 'الغُرفة' },
      ...words(DIGITS, 'صِفْر واحِد إثنان ثَلاثة أربَعة خَمسة سِتّة سَبعة ثَمانية تِسعة'),
      // As they are called in Arabic.
      ...words(LETTERS, 'إيه بي سي دي إي إف جي إتش آي جيه كيه إل إم إن أو بي كيُو آر إس تي يو في دَبليو إكس وَاي زِد'),
    },
  },
};

const folder = mkdtempSync(path.join(tmpdir(), 'voices-'));
const out = path.resolve(import.meta.dirname, '../tv/voices');
mkdirSync(out, { recursive: true });
for (const [language, { name, speed, words }] of Object.entries(VOICES)) {
  const places: Record<string, readonly [start: number, length: number]> = {};
  const files: string[] = [];
  let at = 0;
  for (const [word, text] of Object.entries(words)) {
    const [raw, file] = [path.join(folder, 'raw.wav'), path.join(folder, `${files.length}.wav`)];
    execFileSync('espeak-ng', ['-m', '-v', name, '-s', String(speed), '-a', '180', '-w', raw, text]);
    // Trimmed at both ends, and equally loud.
    execFileSync('sox', [
      raw,
      '-r',
      String(RATE),
      '-c',
      '1',
      file,
      ...EDGE,
      'reverse',
      ...EDGE,
      'reverse',
      'norm',
      '-2',
      'pad',
      '0',
      String(GAP),
    ]);
    const length = Number(execFileSync('soxi', ['-D', file], { encoding: 'utf8' }));
    places[word] = [Number(at.toFixed(3)), Number((length - GAP).toFixed(3))];
    at += length;
    files.push(file);
  }
  const all = path.join(folder, `${language}.wav`);
  execFileSync('sox', [...files, all]);
  execFileSync('lame', ['--quiet', '-m', 'm', '-b', '32', all, path.join(out, `${language}.mp3`)]);
  writeFileSync(path.join(out, `${language}.json`), `${JSON.stringify(places)}\n`);
  process.stdout.write(`${language}: ${Object.keys(places).length} words, ${at.toFixed(1)} s\n`);
}
rmSync(folder, { recursive: true });
