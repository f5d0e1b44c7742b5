/** Pages of invoices, payments and prices. */
import { createRoute } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { listSearch, maybe } from '../../kit/lists/list-search.ts';
import { pageWith } from '../../kit/ui/page.tsx';
import { portalPages } from '../pages/words.ts';
import { root } from './root.tsx';

const invoicePage = pageWith(portalPages.invoices, portalPages.patients, portalPages.records, portalPages.shifts);
const shiftPage = pageWith(portalPages.shifts, portalPages.invoices, portalPages.records);
const refundPage = pageWith(portalPages.refunds, portalPages.invoices, portalPages.records);

const cashDesk = createRoute({
  getParentRoute: () => root,
  path: '/cash-desk',
  validateSearch: z.object({ q: listSearch.shape.q }),
  component: invoicePage('payInvoice', () => import('../pages/invoices/cash-desk.page.tsx'), 'CashDeskPage'),
});

const invoices = createRoute({
  getParentRoute: () => root,
  path: '/invoices',
  validateSearch: z.object({ ...listSearch.shape, open: maybe(z.literal(true)) }),
  component: invoicePage('listInvoices', () => import('../pages/invoices/invoices.page.tsx'), 'InvoicesPage'),
});

const newInvoice = createRoute({
  getParentRoute: () => root,
  path: '/invoices/new',
  component: invoicePage('createInvoice', () => import('../pages/invoices/new-invoice.page.tsx'), 'NewInvoicePage'),
});

const invoice = createRoute({
  getParentRoute: () => root,
  path: '/invoices/$id',
  component: invoicePage('readInvoice', () => import('../pages/invoices/invoice.page.tsx'), 'InvoicePage'),
});

const shifts = createRoute({
  getParentRoute: () => root,
  path: '/shifts',
  validateSearch: z.object({
    ...listSearch.shape,
    tab: maybe(z.enum(['mine', 'all'])),
    closed: maybe(z.literal(true)),
  }),
  component: shiftPage('listShifts', () => import('../pages/shifts/shifts.page.tsx'), 'ShiftsPage'),
});

const shift = createRoute({
  getParentRoute: () => root,
  path: '/shifts/$id',
  component: shiftPage('readShift', () => import('../pages/shifts/shift.page.tsx'), 'ShiftPage'),
});

const refunds = createRoute({
  getParentRoute: () => root,
  path: '/refunds',
  validateSearch: z.object({ ...listSearch.shape, all: maybe(z.literal(true)) }),
  component: refundPage('listRefunds', () => import('../pages/refunds/refunds.page.tsx'), 'RefundsPage'),
});

const bankPage = pageWith(portalPages.bank, portalPages.invoices, portalPages.records);

const bank = createRoute({
  getParentRoute: () => root,
  path: '/bank',
  validateSearch: listSearch,
  component: bankPage('listBankStatements', () => import('../pages/bank/statements.page.tsx'), 'StatementsPage'),
});

const bankStatement = createRoute({
  getParentRoute: () => root,
  path: '/bank/$id',
  validateSearch: z.object({
    ...listSearch.shape,
    tab: maybe(z.enum(['all'])),
    match: maybe(z.literal(true)),
  }),
  component: bankPage('readBankStatement', () => import('../pages/bank/statement.page.tsx'), 'StatementPage'),
});

const monthEnd = createRoute({
  getParentRoute: () => root,
  path: '/month-end',
  validateSearch: z.object({ month: maybe(z.string().check(z.regex(/^\d{4}-\d\d$/))) }),
  component: bankPage('checkInvariants', () => import('../pages/bank/month-end.page.tsx'), 'MonthEndPage'),
});

export const moneyRoutes = [
  ...([cashDesk, invoices, newInvoice, invoice, shifts, shift, refunds] as const),
  ...([bank, bankStatement, monthEnd] as const),
] as const;
