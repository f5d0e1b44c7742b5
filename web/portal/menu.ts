/** The menu of the portal, in the order of a day: who comes, what is done, where, and who watches over it. */
import {
  IconArrowsExchange,
  IconBan,
  IconBuilding,
  IconCalendarEvent,
  IconCalendarWeek,
  IconCrown,
  IconDeviceTv,
  IconDoor,
  IconDoorEnter,
  IconHistory,
  IconHourglass,
  IconIdBadge2,
  IconListCheck,
  IconMicroscope,
  IconPackages,
  IconPill,
  IconPrescription,
  IconShieldCheck,
  IconStars,
  IconStethoscope,
  IconTestPipe,
  IconTicket,
  IconUserShield,
  IconUsers,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { MenuSection } from '../kit/ui/shell.tsx';

export function useMenu(): readonly MenuSection[] {
  const { t } = useTranslation();
  return [
    {
      label: t('menu.reception'),
      items: [
        { to: '/patients', label: t('menu.patients'), icon: IconUsers, operation: 'listPatients' },
        {
          to: '/appointments',
          label: t('menu.appointments'),
          icon: IconCalendarEvent,
          operation: 'listAppointments',
        },
        {
          to: '/waiting-list',
          label: t('menu.waiting-list'),
          icon: IconHourglass,
          operation: 'listWaitingList',
        },
        { to: '/queue', label: t('menu.queue'), icon: IconTicket, operation: 'readQueue' },
        { to: '/visitors', label: t('menu.visitors'), icon: IconDoorEnter, operation: 'listVisitors' },
        { to: '/visitor-bans', label: t('menu.visitor-bans'), icon: IconBan, operation: 'listVisitorBans' },
        { to: '/vip', label: t('menu.vip'), icon: IconCrown, operation: 'listVipMemberships' },
        { to: '/vip-tiers', label: t('menu.vip-tiers'), icon: IconStars, operation: 'createVipTier' },
      ],
    },
    {
      label: t('menu.laboratorySection'),
      items: [
        { to: '/laboratory', label: t('menu.laboratory'), icon: IconMicroscope, operation: 'listLabOrders' },
        { to: '/lab-tests', label: t('menu.labTests'), icon: IconTestPipe, operation: 'createLabTest' },
        { to: '/lab-panels', label: t('menu.labPanels'), icon: IconListCheck, operation: 'createLabPanel' },
      ],
    },
    {
      label: t('menu.pharmacy'),
      items: [
        {
          to: '/prescriptions',
          label: t('menu.prescriptions'),
          icon: IconPrescription,
          operation: 'listPrescriptions',
        },
        { to: '/stock', label: t('menu.stock'), icon: IconPackages, operation: 'listDrugLevels' },
        { to: '/drugs', label: t('menu.drugs'), icon: IconPill, operation: 'listDrugs' },
        {
          to: '/interactions',
          label: t('menu.interactions'),
          icon: IconArrowsExchange,
          operation: 'listDrugInteractions',
        },
      ],
    },
    {
      label: t('menu.organization'),
      items: [
        { to: '/schedules', label: t('menu.schedules'), icon: IconCalendarWeek, operation: 'readWeek' },
        { to: '/clinics', label: t('menu.clinics'), icon: IconStethoscope, operation: 'listClinics' },
        { to: '/rooms', label: t('menu.rooms'), icon: IconDoor, operation: 'listRooms' },
        { to: '/departments', label: t('menu.departments'), icon: IconBuilding, operation: 'listDepartments' },
        { to: '/employees', label: t('menu.employees'), icon: IconIdBadge2, operation: 'listEmployees' },
        { to: '/displays', label: t('menu.displays'), icon: IconDeviceTv, operation: 'listDisplays' },
      ],
    },
    {
      label: t('menu.security'),
      items: [
        { to: '/roles', label: t('menu.roles'), icon: IconShieldCheck, operation: 'listRoles' },
        {
          to: '/support-access',
          label: t('menu.supportAccess'),
          icon: IconUserShield,
          operation: 'listImpersonations',
        },
        { to: '/audit', label: t('menu.audit'), icon: IconHistory, operation: 'listAudit' },
      ],
    },
  ];
}
