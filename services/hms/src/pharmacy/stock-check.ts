/** The hourly look at the stock of a hospital. Another module mails what is new. */
import { checkStock, stockCheck } from '@hms/domain/stock';
import { type Task, task } from '@hms/service';

export const stockCheckTask = task({ ...stockCheck, run: (work) => checkStock(work) }) as Task;
