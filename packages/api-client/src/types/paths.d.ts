import type * as auth from './auth.d.ts';
import type * as hms from './hms.d.ts';
import type * as crm from './crm.d.ts';
import type * as payment from './payment.d.ts';
import type * as queue from './queue.d.ts';
import type * as report from './report.d.ts';
import type * as console from './console.d.ts';

export interface Paths extends auth.paths, hms.paths, crm.paths, payment.paths, queue.paths, report.paths, console.paths {}
export type Schemas = auth.components['schemas'] & hms.components['schemas'] & crm.components['schemas'] & payment.components['schemas'] & queue.components['schemas'] & report.components['schemas'] & console.components['schemas'];
