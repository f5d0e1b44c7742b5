/** Questions to a person at a terminal. */
import fs from 'node:fs';
import readline from 'node:readline/promises';
import { Writable } from 'node:stream';
import tty from 'node:tty';
import { EXIT, Exit } from './exit.ts';
import { exit } from './signals.ts';

/** Prompts for hidden input. */
export async function askSecretly(question: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new Exit(EXIT.usage, 'there is no terminal to ask for the password: use --password-stdin.');
  // Before the question, because the terminal shows what is typed or pasted until then.
  process.stdin.setRawMode(true);
  process.stderr.write(question);
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    return await answerTo('', hidden);
  } finally {
    process.stderr.write('\n');
  }
}

/** Asks for a line, such as the code from an e-mail. @param otherwise what to do without a terminal. */
export async function askLine(question: string, otherwise: string): Promise<string> {
  const terminal = process.stdin.isTTY ? process.stdin : controllingTerminal();
  if (!terminal) throw new Exit(EXIT.usage, otherwise);
  try {
    return (await answerTo(question, process.stderr, terminal)).trim();
  } finally {
    if (terminal !== process.stdin) terminal.destroy();
  }
}

/** The terminal of somebody whose standard input is something else, such as a pipe with a password. */
function controllingTerminal(): tty.ReadStream | undefined {
  try {
    return new tty.ReadStream(fs.openSync('/dev/tty', 'r'));
  } catch {
    return undefined;
  }
}

/** Asks a yes/no question. Only y and yes confirm. */
export async function agreesTo(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Exit(EXIT.usage, 'there is nobody to ask: add --yes to delete the data (make reset YES=1).');
  return /^y(es)?$/i.test((await answerTo(`${question} [y/N] `, process.stderr)).trim());
}

/** Ctrl-C ends hmsctl. Ctrl-D is an empty answer. */
async function answerTo(
  question: string,
  output: NodeJS.WritableStream,
  input: tty.ReadStream = process.stdin,
): Promise<string> {
  const terminal = readline.createInterface({ input, output, terminal: true });
  terminal.once('SIGINT', () => {
    terminal.close();
    process.stderr.write('\n');
    exit('SIGINT');
  });
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    return await Promise.race([terminal.question(question), closed]);
  } finally {
    terminal.close();
  }
}
