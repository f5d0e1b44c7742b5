/** The module crm: customer relationship. */
import { startModule } from '@hms/service';
import { crmModule } from './module.ts';

await startModule({ name: 'crm', define: crmModule });
