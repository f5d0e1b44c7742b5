import readline from 'node:readline/promises';
import { Writable } from 'node:stream';
import { EXIT, Exit } from './exit.ts';

/** Asks for something that must not be seen on the screen. */
export async function askSecretly(question: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new Exit(EXIT.usage, 'there is no terminal to ask for the password: use --password-stdin.');
  process.stderr.write(question);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = readline.createInterface({ input: process.stdin, output: unseen, terminal: true });
  terminal.once('SIGINT', () => process.exit(EXIT.interrupted));
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
