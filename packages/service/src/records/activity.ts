/** Records that can be out of use for some time, such as a clinic in summer. What belongs to them stays. */
import type { Permission } from '@hms/tenancy';
import type { RequestContext, Route } from '../route.ts';
import type { RecordDefinition, Standard } from './record.ts';
import { records } from './records.ts';
import { stepsOf } from './steps.ts';

type Activity = 'active' | 'inactive';

/** The routes that put a record out of use, and into use again. @param path of the resource */
export function activityRoutes<ItemType extends Standard>(
  record: RecordDefinition<ItemType, Activity>,
  path: string,
  access: Permission,
): readonly Route[] {
  const { name, item: response } = record;
  const step = stepsOf(record, { path, access, response, show: (_, shown: ItemType) => shown });
  const move = async (context: RequestContext, id: string, to: Activity) => {
    const own = records(context, record);
    return own.moveTo(await own.lock(id, context.version), to);
  };
  return [
    step('deactivate', {
      summary: `Put a ${name} out of use`,
      run: (context, id) => move(context, id, 'inactive'),
    }),
    step('activate', { summary: `Use a ${name} again`, run: (context, id) => move(context, id, 'active') }),
  ];
}
