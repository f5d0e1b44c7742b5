/** The module payment: prices, invoices and payments. */
import { startModule } from '@hms/service';
import { paymentModule } from './module.ts';

await startModule({ name: 'payment', define: paymentModule });
