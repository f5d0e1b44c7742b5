/** Reads files and standard input of any kind: slow pipes, endless devices, terminals. */
import fs from 'node:fs';
import type { Readable } from 'node:stream';
import { codeOf } from '@hms/local';
import { EXIT, Exit } from './exit.ts';

const MEGABYTE = 1024 * 1024;

export interface Input {
  /** What is expected, for prompts and error messages, such as `a manifest`. */
  readonly what: string;
  /** Maximum number of bytes. */
  readonly limit: number;
}

/** Name of the source in messages. */
export function sourceName(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/**
 * Reads a file, or standard input for `-`. Standard input is never read synchronously: a pipe may be non-blocking.
 * @throws Exit if it can't be read, is larger than the limit, or is not text.
 */
export async function readText(file: string, input: Input): Promise<string> {
  if (file === '-' && process.stdin.isTTY)
    process.stderr.write(`Reading ${input.what} from the terminal: end it with Ctrl-D on a line of its own.\n`);
  const name = sourceName(file);
  const bytes = await readBounded(open(file), name, input.limit);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Exit(EXIT.usage, `${name} is not UTF-8 text: ${input.what} is expected.`);
  }
}

function open(file: string): Readable {
  return file === '-' ? process.stdin : fs.createReadStream(file);
}

async function readBounded(stream: Readable, name: string, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw new Exit(EXIT.usage, `${name} is larger than ${limitText(limit)}, which is the limit.`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Exit) throw error;
    if (codeOf(error) === 'EISDIR') throw new Exit(EXIT.usage, `${name} is a folder: name a file.`);
    throw new Exit(EXIT.usage, `${name} can't be read (${codeOf(error) ?? error}).`);
  }
  return Buffer.concat(chunks);
}

function limitText(limit: number): string {
  return limit >= MEGABYTE ? `${limit / MEGABYTE} MB` : `${limit / 1024} KB`;
}
