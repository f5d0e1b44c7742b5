/** Dashboards: a few figures of several reports, for people who begin their day with them. */
import type { Area, Words } from './declare.ts';
import { words } from './reports/shared.ts';

/** A part of a dashboard. */
interface Tile {
  readonly report: string;
  readonly groupBy: string;
  readonly chart: 'bars' | 'line';
  /** Names of the figures that are shown large. The first one is drawn. */
  readonly measures: readonly string[];
  /** If the person is a doctor: only what the person has done. The filters of the figures name the doctor. */
  readonly isOwn?: boolean;
}

export interface Dashboard {
  readonly name: string;
  readonly title: Words;
  /** It is for people who may see all of these. */
  readonly areas: readonly Area[];
  readonly tiles: readonly Tile[];
}

export const DASHBOARDS: readonly Dashboard[] = [
  {
    name: 'owner',
    title: words('Hospital', 'المستشفى'),
    areas: ['financial', 'clinical', 'operational'],
    tiles: [
      { report: 'revenue', groupBy: 'day', chart: 'line', measures: ['total', 'invoices'] },
      { report: 'collections', groupBy: 'method', chart: 'bars', measures: ['amount', 'payments'] },
      { report: 'outstanding', groupBy: 'age', chart: 'bars', measures: ['balance', 'overdue'] },
      { report: 'census', groupBy: 'day', chart: 'line', measures: ['patients', 'newPatients'] },
      { report: 'wait-times', groupBy: 'clinic', chart: 'bars', measures: ['median', 'p90'] },
      { report: 'no-show', groupBy: 'weekday', chart: 'bars', measures: ['noShowShare', 'noShows'] },
    ],
  },
  {
    name: 'accountant',
    title: words('Accounts', 'الحسابات'),
    areas: ['financial'],
    tiles: [
      { report: 'collections', groupBy: 'day', chart: 'line', measures: ['amount', 'payments'] },
      { report: 'collections', groupBy: 'method', chart: 'bars', measures: ['amount', 'rounding'] },
      { report: 'revenue', groupBy: 'service', chart: 'bars', measures: ['total', 'tax', 'discount'] },
      { report: 'outstanding', groupBy: 'age', chart: 'bars', measures: ['balance', 'overdue', 'invoices'] },
    ],
  },
  {
    name: 'doctor',
    title: words('Patients', 'المرضى'),
    areas: ['clinical'],
    tiles: [
      { report: 'visits', groupBy: 'day', chart: 'line', measures: ['visits', 'seen', 'minutes'], isOwn: true },
      { report: 'lab-results', groupBy: 'flag', chart: 'bars', measures: ['out', 'critical', 'results'], isOwn: true },
      {
        report: 'doctor-activity',
        groupBy: 'week',
        chart: 'bars',
        measures: ['appointments', 'labOrders', 'prescriptions'],
        isOwn: true,
      },
      { report: 'lab-turnaround', groupBy: 'priority', chart: 'bars', measures: ['median', 'onTime'] },
    ],
  },
  {
    name: 'pharmacy',
    title: words('Pharmacy', 'الصيدلية'),
    areas: ['pharmacy'],
    tiles: [
      { report: 'stock-expiry', groupBy: 'expiry', chart: 'bars', measures: ['value', 'soon', 'expired'] },
      { report: 'stock-expiry', groupBy: 'location', chart: 'bars', measures: ['value', 'batches'] },
    ],
  },
  {
    name: 'front-desk',
    title: words('Front desk', 'الاستقبال'),
    areas: ['operational'],
    tiles: [
      { report: 'wait-times', groupBy: 'hour', chart: 'line', measures: ['median', 'p90', 'people'] },
      { report: 'wait-times', groupBy: 'clinic', chart: 'bars', measures: ['median', 'long'] },
      { report: 'no-show', groupBy: 'day', chart: 'bars', measures: ['noShowShare', 'noShows'] },
      { report: 'slot-use', groupBy: 'doctor', chart: 'bars', measures: ['use', 'places'] },
      { report: 'visitors', groupBy: 'day', chart: 'line', measures: ['passes', 'came', 'denied'] },
    ],
  },
];
