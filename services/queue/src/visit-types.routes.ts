/** The types of visits, which say how long an appointment takes. */
import { visitTypes } from '@hms/domain/visit-types';
import { type Route, resource } from '@hms/service';

export const visitTypeRoutes: readonly Route[] = resource(visitTypes, {
  path: '/api/queue/visit-types',
  access: { read: 'visit-types.read', write: 'visit-types.write', remove: 'visit-types.write' },
  remove: { summary: 'Delete a type of visit that nothing uses' },
  steps: {
    activate: { to: 'active', summary: 'Use a type of visit again' },
    deactivate: { to: 'inactive', summary: 'Book a type of visit no more' },
  },
});
