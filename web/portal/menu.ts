/** The menu of the portal: who comes, what is done for them, what is set up for that, and who watches over it. */
import {
  IconBuildingBank,
  IconCalendarCheck,
  IconCalendarEvent,
  IconCalendarWeek,
  IconCash,
  IconCashRegister,
  IconCrown,
  IconDeviceTv,
  IconDoorEnter,
  IconHistory,
  IconHourglass,
  IconIdBadge2,
  IconListCheck,
  IconMicroscope,
  IconPackages,
  IconPrescription,
  IconReceipt,
  IconReceiptRefund,
  IconShieldCheck,
  IconSun,
  IconTestPipe,
  IconTicket,
  IconUserShield,
  IconUsers,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Operation } from '../kit/roles/can.tsx';
import { usePerson } from '../kit/session/use-session.ts';
import type { MenuSection } from '../kit/ui/shell.tsx';
import { RECORDS } from './records.ts';

const ALL = Object.entries(RECORDS) as readonly {
  [Name in keyof typeof RECORDS]: [Name, (typeof RECORDS)[Name]];
}[keyof typeof RECORDS][];

export function useMenu(): readonly MenuSection[] {
  const { t } = useTranslation();
  const isDoctor = usePerson().roles.includes('DOCTOR');
  const records = (section: (typeof ALL)[number][1]['section']) =>
    ALL.filter(([, declared]) => declared.section === section).map(([name, { type, icon, ...declared }]) => {
      const operation = 'inMenuFor' in declared ? declared.inMenuFor : (`list${type}s` as Operation);
      return { to: `/${name}` as const, label: t(`menu.${name}`), icon, operation };
    });
  return [
    {
      label: t('menu.frontDesk'),
      items: [
        ...(isDoctor
          ? [{ to: '/today', label: t('menu.today'), icon: IconSun, operation: 'listAppointments' } as const]
          : []),
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
        { to: '/schedules', label: t('menu.schedules'), icon: IconCalendarWeek, operation: 'readWeek' },
        { to: '/visitors', label: t('menu.visitors'), icon: IconDoorEnter, operation: 'listVisitors' },
        { to: '/vip', label: t('menu.vip'), icon: IconCrown, operation: 'listVipMemberships' },
        ...records('frontDesk'),
      ],
    },
    {
      label: t('menu.care'),
      items: [
        { to: '/laboratory', label: t('menu.laboratory'), icon: IconMicroscope, operation: 'listLabOrders' },
        {
          to: '/prescriptions',
          label: t('menu.prescriptions'),
          icon: IconPrescription,
          operation: 'listPrescriptions',
        },
        { to: '/stock', label: t('menu.stock'), icon: IconPackages, operation: 'listDrugLevels' },
      ],
    },
    {
      label: t('menu.money'),
      items: [
        { to: '/cash-desk', label: t('menu.cash-desk'), icon: IconCash, operation: 'payInvoice' },
        { to: '/invoices', label: t('menu.invoices'), icon: IconReceipt, operation: 'listInvoices' },
        { to: '/refunds', label: t('menu.refunds'), icon: IconReceiptRefund, operation: 'listRefunds' },
        { to: '/shifts', label: t('menu.shifts'), icon: IconCashRegister, operation: 'listShifts' },
        { to: '/bank', label: t('menu.bank'), icon: IconBuildingBank, operation: 'listBankStatements' },
        { to: '/month-end', label: t('menu.month-end'), icon: IconCalendarCheck, operation: 'checkInvariants' },
        ...records('money'),
        { to: '/reports', label: t('menu.reports'), icon: IconListCheck, operation: 'readReports' },
      ],
    },
    {
      label: t('menu.settings'),
      items: [
        { to: '/employees', label: t('menu.employees'), icon: IconIdBadge2, operation: 'listEmployees' },
        ...records('settings'),
        { to: '/displays', label: t('menu.displays'), icon: IconDeviceTv, operation: 'listDisplays' },
        { to: '/lab-tests', label: t('menu.lab-tests'), icon: IconTestPipe, operation: 'createLabTest' },
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
