/**
 * The files that PDF.js fetches by their names while it shows a PDF: encodings and fonts that the PDF does not contain,
 * and decoders of scanned pictures as scripts. WebAssembly would need permission of the content security policy.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

const PDFJS = path.resolve(import.meta.dirname, '../../node_modules/pdfjs-dist');
const FOLDERS = ['cmaps', 'standard_fonts', 'wasm'];

export const pdfFiles: Plugin = {
  name: 'pdf-files',
  generateBundle() {
    const { version } = JSON.parse(fs.readFileSync(path.join(PDFJS, 'package.json'), 'utf8')) as { version: string };
    for (const folder of FOLDERS) {
      for (const name of fs.readdirSync(path.join(PDFJS, folder)).filter((file) => !file.endsWith('.wasm'))) {
        const source = fs.readFileSync(path.join(PDFJS, folder, name));
        // Browsers keep a file for ever: another version has another address.
        this.emitFile({ type: 'asset', fileName: `assets/pdfjs-${version}/${folder}/${name}`, source });
      }
    }
  },
};
