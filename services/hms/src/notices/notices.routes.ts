import { notices } from '@hms/domain/notices';
import { type Route, resource } from '@hms/service';

export const noticeRoutes: readonly Route[] = resource(notices, {
  path: '/api/hms/notices',
  access: { read: 'notices.read', write: 'notices.write', remove: 'notices.write' },
  create: { description: 'Displays show it within a minute, on its days in the calendar of the hospital.' },
});
