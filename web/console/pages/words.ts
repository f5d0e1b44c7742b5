/** Words of the pages, which load with them. A route names what its page needs. */
import type { Words } from '../../kit/i18n/i18n.ts';

export const consolePages = {
  hospitals: { en: () => import('./hospitals/words/en.ts'), ar: () => import('./hospitals/words/ar.ts') },
  platform: { en: () => import('./platform/words/en.ts'), ar: () => import('./platform/words/ar.ts') },
  impersonation: { en: () => import('./impersonations/words/en.ts'), ar: () => import('./impersonations/words/ar.ts') },
  templates: { en: () => import('./templates/words/en.ts'), ar: () => import('./templates/words/ar.ts') },
  events: { en: () => import('./audit/words/en.ts'), ar: () => import('./audit/words/ar.ts') },
} satisfies Readonly<Record<string, Words>>;
