import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { mantineStyles } from './tools/mantine-styles.ts';
import { pdfFiles } from './tools/pdf-files.ts';

const page = (file: string) => path.resolve(import.meta.dirname, file);

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), mantineStyles, pdfFiles],
  // The server replaces it in each answer.
  html: { cspNonce: '__NONCE__' },
  build: {
    manifest: true,
    // Data URLs would need permission of the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What all pages need stays in one file, whatever part of it a chart needs too.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 1 },
            {
              name: 'libraries',
              test: /node_modules\/(i18next|react-i18next|use-sync-external-store|@tanstack\/[\w-]+)\//,
            },
          ],
        },
      },
      input: {
        portal: page('portal/index.html'),
        console: page('console/index.html'),
        tv: page('tv/index.html'),
        visit: page('visit/index.html'),
        verify: page('verify/index.html'),
        landing: page('landing/index.html'),
      },
    },
  },
});
