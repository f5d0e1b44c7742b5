/** Words of pages that several entries have. A route names what its page needs. */
import type { Words } from '../i18n/i18n.ts';

export const kitPages = {
  account: { en: () => import('../account/words/en.ts'), ar: () => import('../account/words/ar.ts') },
  permissions: { en: () => import('../roles/words/en.ts'), ar: () => import('../roles/words/ar.ts') },
  impersonations: {
    en: () => import('../impersonations/words/en.ts'),
    ar: () => import('../impersonations/words/ar.ts'),
  },
  errors: { en: () => import('./errors/en.ts'), ar: () => import('./errors/ar.ts') },
} satisfies Readonly<Record<string, Words>>;
