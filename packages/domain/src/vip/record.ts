/** The declarations of VIP tiers and memberships, and their errors. */
import { build } from '@hms/database';
import { declareConstraints, type ErrorKind, fields, itemWith, type Precision, record } from '@hms/service';
import type { Knex } from 'knex';
import { z } from 'zod';
import { familiesMatching } from '../families/record.ts';
import { familyIdsOf, peopleMatching, samePersonIds } from '../patients/record.ts';

const discount = (what: string) =>
  z.int().min(0).max(10_000).default(0).describe(`Discount on ${what} in basis points: 1250 is 12.5 %`);

const VIP_TIER_NAME_TAKEN: ErrorKind = {
  status: 409,
  code: 'VIP_TIER_NAME_TAKEN',
  message: 'Another tier has this name: choose another one',
  field: 'name',
};

export const vipTiers = record('vip_tiers', {
  name: 'vip tier',
  fields: {
    name: fields.line(50),
    priorityWeight: z
      .int()
      .min(0)
      .max(100)
      .default(0)
      .describe('A head start in queues before others of no higher priority: 100 are 10 minutes, 50 are 5'),
    consultationBps: discount('consultations'),
    laboratoryBps: discount('laboratory tests'),
    pharmacyBps: discount('drugs'),
    otherBps: discount('everything else'),
  },
  states: { active: ['inactive'], inactive: ['active'] },
  sort: ['priorityWeight'],
  defaultSort: '-priorityWeight',
  filters: ['status'],
  search: {},
  constraints: { vip_tiers_name: VIP_TIER_NAME_TAKEN },
  live: true,
});
export type VipTier = z.output<typeof vipTiers.item>;

/** What a membership is on a day. */
const PHASES = ['upcoming', 'current', 'suspended', 'ended', 'cancelled'] as const;
export type Phase = (typeof PHASES)[number];

export const vipMemberships = record('vip_memberships', {
  name: 'vip membership',
  code: { field: 'membershipNo', series: 'vip_membership', letters: 'VIP' },
  fields: {
    tierId: fields.id,
    validFrom: fields.day.optional().describe('The first day. Default: today'),
    validTo: fields.day.nullish().describe('The last day. Null: until somebody ends it'),
    notes: fields.line(200).nullish(),
  },
  set: {
    patientId: fields.id.nullable().describe('Whose it is. Null: that of a family'),
    familyId: fields.id.nullable().describe('The family for whose members it counts. Null: that of a patient'),
    reason: fields.line(200).nullable().describe('Why it is suspended or cancelled'),
    cancelledAt: fields.instant.nullable(),
  },
  states: { active: ['suspended', 'cancelled'], suspended: ['active', 'cancelled'], cancelled: [] },
  sort: ['validTo', 'membershipNo'],
  filters: ['tierId', 'status', 'membershipNo', 'familyId'],
  moreFilters: {
    patientId: {
      schema: fields.id.describe(
        'Of this patient, of those who are one person with them, and of the family in which they are now',
      ),
      where: (rows, id) =>
        void rows.where(
          (either) =>
            void either
              .whereIn('patient_id', samePersonIds(id as string))
              .orWhereIn('family_id', familyIdsOf(id as string)),
        ),
    },
    validOn: {
      schema: fields.isoDate.describe('Only those that are neither suspended nor cancelled, and valid on this day'),
      where: (rows, day) =>
        void rows
          .where('status', 'active')
          .whereRaw("daterange(valid_from, valid_to, '[]') @> ?::date", [day as string]),
    },
  },
  search: { also: membershipsMatching },
  auditReads: true,
  patient: 'patientId',
  live: true,
});
export type VipMembership = z.output<typeof vipMemberships.item>;

function membershipsMatching(text: string, precision: Precision) {
  const ofPatients: Knex.QueryBuilder = build.from('vip_memberships').select('id');
  ofPatients.whereIn('patient_id', peopleMatching(text, precision));
  const ofFamilies = build.from('vip_memberships').select('id');
  return ofPatients.union([ofFamilies.whereIn('family_id', familiesMatching(text, precision))]);
}

export const newMembership = fields
  .exactlyOneOf(
    ['patientId', 'familyId'],
    vipMemberships.create.extend({
      patientId: fields.id.optional(),
      familyId: fields.id.optional().describe('Instead of patientId: it counts for everybody who is in the family'),
    }),
  )
  .meta({ id: 'NewVipMembership' });
export const membershipChanges = vipMemberships.changes
  .omit({ tierId: true, validFrom: true })
  .meta({ id: 'VipMembershipChanges' });
export const membershipStep = z.object({ reason: fields.line(200), version: fields.version });

export const shownMembership = itemWith(vipMemberships, {
  phase: z.enum(PHASES).describe('What it is today in the hospital'),
  tierName: z.string(),
  patientCode: z.string().nullable(),
  patientName: z.string().nullable(),
  familyCode: z.string().nullable(),
  familyName: z.string().nullable(),
  primaryContactId: z.uuid().nullable().describe('Of the family. Null also if it is closed'),
}).meta({ id: 'ShownVipMembership' });
export type ShownMembership = z.output<typeof shownMembership>;

export const VIP_TIER_INACTIVE: ErrorKind = {
  status: 409,
  code: 'VIP_TIER_INACTIVE',
  message: 'This tier is not in use: activate it, or choose another one',
};
export const VIP_OVERLAP: ErrorKind = {
  status: 409,
  code: 'VIP_OVERLAP',
  message:
    'The patient or the family has another membership then: details.membership has it. Cancel it, or set its last day, first',
};
export const VIP_MEMBERSHIP_ENDED: ErrorKind = {
  status: 409,
  code: 'VIP_MEMBERSHIP_ENDED',
  message: 'The last day of this membership is over: create a new one',
};

declareConstraints({ vip_memberships_one: VIP_OVERLAP, vip_memberships_one_of_family: VIP_OVERLAP });
