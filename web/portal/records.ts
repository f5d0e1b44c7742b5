/**
 * The plain records of the portal. Their routes and their items in the menu derive from this: the name is the path, and
 * the section that of the menu. The menu shows one to those who may list it, or to those who may do `inMenuFor`, where
 * others find it elsewhere.
 */
import {
  IconArrowsExchange,
  IconBan,
  IconBuilding,
  IconClock,
  IconDoor,
  IconListCheck,
  IconPill,
  IconSpeakerphone,
  IconStars,
  IconStethoscope,
  IconTag,
  IconTags,
} from '@tabler/icons-react';
import { portalPages } from './pages/words.ts';

export const RECORDS = {
  departments: {
    section: 'settings',
    type: 'Department',
    icon: IconBuilding,
    words: [portalPages.departments],
    load: () => import('./pages/departments/departments.page.tsx'),
  },
  clinics: {
    section: 'settings',
    type: 'Clinic',
    icon: IconStethoscope,
    words: [portalPages.clinics],
    load: () => import('./pages/clinics/clinics.page.tsx'),
  },
  rooms: {
    section: 'settings',
    type: 'Room',
    icon: IconDoor,
    words: [portalPages.rooms, portalPages.clinics],
    load: () => import('./pages/rooms/rooms.page.tsx'),
  },
  'visit-types': {
    section: 'settings',
    type: 'VisitType',
    inMenuFor: 'createVisitType',
    icon: IconClock,
    words: [portalPages.visitTypes, portalPages.clinics],
    load: () => import('./pages/visit-types/visit-types.page.tsx'),
  },
  drugs: {
    section: 'settings',
    type: 'Drug',
    icon: IconPill,
    words: [portalPages.drugs],
    load: () => import('./pages/drugs/drugs.page.tsx'),
  },
  interactions: {
    section: 'settings',
    type: 'DrugInteraction',
    icon: IconArrowsExchange,
    words: [portalPages.interactions],
    load: () => import('./pages/interactions/interactions.page.tsx'),
  },
  'lab-panels': {
    section: 'settings',
    type: 'LabPanel',
    inMenuFor: 'createLabPanel',
    icon: IconListCheck,
    words: [portalPages.labCatalogue, portalPages.laboratory],
    load: () => import('./pages/lab-catalogue/lab-panels.page.tsx'),
  },
  'vip-tiers': {
    section: 'settings',
    type: 'VipTier',
    inMenuFor: 'createVipTier',
    icon: IconStars,
    words: [portalPages.vip],
    load: () => import('./pages/vip/tiers.page.tsx'),
  },
  notices: {
    section: 'settings',
    type: 'Notice',
    icon: IconSpeakerphone,
    words: [portalPages.notices],
    load: () => import('./pages/notices/notices.page.tsx'),
  },
  'visitor-bans': {
    section: 'frontDesk',
    type: 'VisitorBan',
    icon: IconBan,
    words: [portalPages.visitors],
    load: () => import('./pages/visitors/bans.page.tsx'),
  },
  'price-items': {
    section: 'money',
    type: 'PriceItem',
    inMenuFor: 'createPriceItem',
    icon: IconTag,
    words: [portalPages.prices],
    load: () => import('./pages/prices/price-items.page.tsx'),
  },
  prices: {
    section: 'money',
    type: 'Price',
    inMenuFor: 'createPrice',
    icon: IconTags,
    words: [portalPages.prices],
    load: () => import('./pages/prices/prices.page.tsx'),
  },
} as const;
