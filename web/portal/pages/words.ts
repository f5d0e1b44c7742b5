/** Words of the pages, which load with them. A route names what its page needs. */
import type { Words } from '../../kit/i18n/i18n.ts';

export const portalPages = {
  records: { en: () => import('../../kit/records/words/en.ts'), ar: () => import('../../kit/records/words/ar.ts') },
  search: { en: () => import('./search/words/en.ts'), ar: () => import('./search/words/ar.ts') },
  patients: { en: () => import('./patients/words/en.ts'), ar: () => import('./patients/words/ar.ts') },
  patientImports: {
    en: () => import('./patient-imports/words/en.ts'),
    ar: () => import('./patient-imports/words/ar.ts'),
  },
  laboratory: { en: () => import('./laboratory/words/en.ts'), ar: () => import('./laboratory/words/ar.ts') },
  labCatalogue: { en: () => import('./lab-catalogue/words/en.ts'), ar: () => import('./lab-catalogue/words/ar.ts') },
  employees: { en: () => import('./employees/words/en.ts'), ar: () => import('./employees/words/ar.ts') },
  departments: { en: () => import('./departments/words/en.ts'), ar: () => import('./departments/words/ar.ts') },
  clinics: { en: () => import('./clinics/words/en.ts'), ar: () => import('./clinics/words/ar.ts') },
  rooms: { en: () => import('./rooms/words/en.ts'), ar: () => import('./rooms/words/ar.ts') },
  schedules: { en: () => import('./schedules/words/en.ts'), ar: () => import('./schedules/words/ar.ts') },
  appointments: { en: () => import('./appointments/words/en.ts'), ar: () => import('./appointments/words/ar.ts') },
  waitingList: { en: () => import('./waiting-list/words/en.ts'), ar: () => import('./waiting-list/words/ar.ts') },
  queue: { en: () => import('./queue/words/en.ts'), ar: () => import('./queue/words/ar.ts') },
  vip: { en: () => import('./vip/words/en.ts'), ar: () => import('./vip/words/ar.ts') },
  visitors: { en: () => import('./visitors/words/en.ts'), ar: () => import('./visitors/words/ar.ts') },
  drugs: { en: () => import('./drugs/words/en.ts'), ar: () => import('./drugs/words/ar.ts') },
  interactions: { en: () => import('./interactions/words/en.ts'), ar: () => import('./interactions/words/ar.ts') },
  prescriptions: { en: () => import('./prescriptions/words/en.ts'), ar: () => import('./prescriptions/words/ar.ts') },
  stock: { en: () => import('./stock/words/en.ts'), ar: () => import('./stock/words/ar.ts') },
  prices: { en: () => import('./prices/words/en.ts'), ar: () => import('./prices/words/ar.ts') },
  invoices: { en: () => import('./invoices/words/en.ts'), ar: () => import('./invoices/words/ar.ts') },
  displays: { en: () => import('./displays/words/en.ts'), ar: () => import('./displays/words/ar.ts') },
  roles: { en: () => import('./roles/words/en.ts'), ar: () => import('./roles/words/ar.ts') },
  supportAccess: { en: () => import('./impersonations/words/en.ts'), ar: () => import('./impersonations/words/ar.ts') },
  audit: { en: () => import('./audit/words/en.ts'), ar: () => import('./audit/words/ar.ts') },
} satisfies Readonly<Record<string, Words>>;
