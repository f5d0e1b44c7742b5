import type { AllWords } from './all-words.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: AllWords };
  }
}
