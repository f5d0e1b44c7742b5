/** The rooms of clinics. */
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import type { Catalogue } from '../../../kit/catalogue/catalogue.ts';
import { CatalogueNew, CatalogueRecord } from '../../../kit/catalogue/catalogue-form.tsx';
import { CatalogueList } from '../../../kit/catalogue/catalogue-list.tsx';
import { choice, text } from '../../../kit/catalogue/fields.tsx';
import { useClinics } from '../clinics/clinics.queries.ts';

const rooms: Catalogue<'rooms', Schemas['Room'], Schemas['NewRoom']> = {
  name: 'rooms',
  fields: [
    text('name', 100, { required: true, sortable: true }),
    text('code', 20, { required: true, placeholder: 'ENT-1-2' }),
    choice('clinicId', useClinics, { required: true }),
    text('location', 200),
  ],
  operations: { create: 'createRoom', change: 'changeRoom', remove: 'deleteRoom' },
  changes: '/api/hms/rooms/changes',
  list: (query, signal) => envelopeOf(api.GET('/api/hms/rooms', { params: { query }, signal })),
  read: (id, signal) => dataOf(api.GET('/api/hms/rooms/{id}', { params: { path: { id } }, signal })),
  create: (body, key) => dataOf(api.POST('/api/hms/rooms', { params: { header: { 'Idempotency-Key': key } }, body })),
  change: (id, body) => dataOf(api.PUT('/api/hms/rooms/{id}', { params: { path: { id } }, body })),
  remove: (id) => dataOf(api.DELETE('/api/hms/rooms/{id}', { params: { path: { id } } })),
};

export const RoomsPage = () => <CatalogueList of={rooms} />;
export const NewRoomPage = () => <CatalogueNew of={rooms} />;
export const RoomPage = () => <CatalogueRecord of={rooms} />;
