import { families } from '@hms/domain/families';
import { PATIENT_NOT_FOUND } from '@hms/domain/patients';
import {
  changeMembership,
  createMembership,
  listMemberships,
  membershipChanges,
  membershipStep,
  moveMembership,
  newMembership,
  readMembership,
  shownMembership,
  VIP_MEMBERSHIP_ENDED,
  VIP_OVERLAP,
  VIP_TIER_INACTIVE,
  vipMemberships,
  vipTiers,
} from '@hms/domain/vip';
import { type Route, resource, stepsOf } from '@hms/service';
import type { z } from 'zod';

const TIERS = '/api/crm/vip-tiers';
const MEMBERSHIPS = '/api/crm/vip-memberships';
const access = { read: 'vip.read', write: 'vip.write' } as const;

const step = stepsOf(vipMemberships, {
  ...{ path: MEMBERSHIPS, access: 'vip.write', response: shownMembership },
  show: (_, membership: z.output<typeof shownMembership>) => membership,
});

export const vipRoutes: readonly Route[] = [
  ...resource(vipTiers, {
    path: TIERS,
    access: { ...access, remove: 'vip.write' },
    update: { description: 'The discounts hold from now on for everybody with a membership of this tier.' },
    remove: { summary: 'Delete a tier of which nobody has or had a membership' },
    steps: {
      deactivate: { to: 'inactive', summary: 'Put a vip tier out of use' },
      activate: { to: 'active', summary: 'Use a vip tier again' },
    },
  }),
  ...resource(vipMemberships, {
    path: MEMBERSHIPS,
    access,
    list: { response: shownMembership, run: listMemberships },
    create: {
      summary: 'Make a patient, or everybody in a family, a VIP for some time',
      description:
        'A patient has one membership at a time, and so has a family. That of a merged patient belongs to the one who remains.',
      body: newMembership,
      response: shownMembership,
      errors: [PATIENT_NOT_FOUND, families.notFound, vipTiers.notFound, VIP_TIER_INACTIVE, VIP_OVERLAP],
      run: createMembership,
    },
    read: { response: shownMembership, run: readMembership },
    update: {
      summary: 'Change the last day or the notes of a VIP membership',
      body: membershipChanges,
      response: shownMembership,
      errors: [VIP_OVERLAP],
      run: (context, id, changes) => changeMembership(context, id, changes, context.version),
    },
  }),
  step('suspend', {
    summary: 'Suspend a VIP membership. It takes its place all the same',
    body: membershipStep,
    errors: [VIP_MEMBERSHIP_ENDED],
    run: (context, id, { reason }) => moveMembership(context, id, 'suspended', reason, context.version),
  }),
  step('cancel', {
    summary: 'Cancel a VIP membership. Its holder can have another one at once',
    body: membershipStep,
    errors: [VIP_MEMBERSHIP_ENDED],
    run: (context, id, { reason }) => moveMembership(context, id, 'cancelled', reason, context.version),
  }),
  step('resume', {
    summary: 'End the suspension of a VIP membership',
    errors: [VIP_MEMBERSHIP_ENDED],
    run: (context, id) => moveMembership(context, id, 'active', null, context.version),
  }),
];
