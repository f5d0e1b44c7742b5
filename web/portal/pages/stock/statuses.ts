/** What addresses of the pages of the stock contain. */
import type { Schemas } from '../../../kit/api/api.ts';

export const BATCH_STATUSES = [
  'active',
  'quarantined',
  'recalled',
] as const satisfies readonly Schemas['ShownStockBatch']['status'][];

/** Of the page of a batch. */
export const BATCH_TABS = ['movements', 'recipients', 'details'] as const;
