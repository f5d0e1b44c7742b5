/** VIPs in queues: they go somewhat earlier, never before somebody more urgent, and nobody outside the staff sees it. */
import type { Clinic } from '@hms/domain/clinics';
import { readBoard, readTurn, type ShownEntry } from '@hms/domain/queue';
import { createMembership, moveMembership, vipTiers } from '@hms/domain/vip';
import { records } from '@hms/service';
import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aClinic, age, aPatient, aRoom, callNext, join, line, read, take, useQueue, within } from './testing.ts';

useQueue();

let ent: Clinic;
beforeEach(async () => {
  ent = await aClinic('ENT-1', { tokenPrefix: 'A' });
});

/** A patient with a membership of a tier of this weight. */
async function aVip(priorityWeight: number): Promise<string> {
  const patientId = await aPatient();
  const bps = { consultationBps: 0, laboratoryBps: 0, pharmacyBps: 0, otherBps: 0 };
  await within(async (work) => {
    const tier = { name: `Tier ${priorityWeight} of ${patientId}`, priorityWeight, ...bps };
    const { id: tierId } = await records(work, vipTiers).insert(tier);
    await createMembership(work, { tierId, patientId });
  });
  return patientId;
}

describe('a VIP', () => {
  it('has a head start of up to ten minutes, and a mark', async () => {
    const [early, late] = [await join(ent), await join(ent)];
    await age(early, 11);
    await age(late, 9);
    const vip = await join(ent, { patientId: await aVip(100) });
    expect(vip).toMatchObject({ headStart: 600, tierName: expect.stringMatching(/^Tier 100/), ahead: 1 });
    expect(await line(ent)).toEqual([early.label, vip.label, late.label]);
    const half = await join(ent, { patientId: await aVip(50) });
    expect(half).toMatchObject({ headStart: 300, ahead: 3 });
    expect(early).toMatchObject({ headStart: 0, tierName: null });
  });

  it('has none once the membership is suspended', async () => {
    const patientId = await aVip(100);
    await within(async (work) => {
      const [found] = await work.trx.query<{ id: string }>('SELECT id FROM vip_memberships WHERE patient_id = $1', [
        patientId,
      ]);
      await moveMembership(work, found?.id ?? '', 'suspended', 'Unpaid', undefined);
    });
    expect(await join(ent, { patientId })).toMatchObject({ headStart: 0, tierName: null });
  });

  it('goes before nobody who is more urgent, whoever of them came first', async () => {
    const usual = await join(ent);
    await age(usual, 25);
    const vip = await join(ent, { patientId: await aVip(100) });
    await age(vip, 15);
    // Who is urgent counts as if they had come 20 minutes ago: after the first one, and before the VIP.
    const urgent = await join(ent, { priority: 1 });
    expect(urgent.ahead).toBe(1);
    expect(await line(ent)).toEqual([usual.label, urgent.label, vip.label]);
    const other = await join(ent, { patientId: await aVip(100) });
    expect(await line(ent)).toEqual([usual.label, urgent.label, vip.label, other.label]);
  });

  it('waits behind the next three after a skip, without a head start', async () => {
    const room = await aRoom(ent, 'Room 1');
    const vip = await join(ent, { patientId: await aVip(100) });
    const others = [await join(ent), await join(ent), await join(ent), await join(ent)];
    expect(await callNext(ent, { roomId: room })).toMatchObject({ id: vip.id });
    expect(await take(vip, 'skip')).toMatchObject({ headStart: 0 });
    const [one, two, three, four] = others.map(({ label }) => label);
    expect(await line(ent)).toEqual([one, two, three, vip.label, four]);
    expect(await take(vip, 'undo')).toMatchObject({ headStart: 600, status: 'called' });
  });

  it('is no VIP on the board', async () => {
    await join(ent, { patientId: await aVip(100) });
    const shown = await within((work) => readBoard(work, ent.id));
    expect(shown?.board.next).toHaveLength(1);
    expect(JSON.stringify(shown)).not.toMatch(/tier|vip|headStart/i);
    expect((await read(ent)).waiting).toMatchObject([{ entry: { tierName: expect.stringMatching(/^Tier 100/) } }]);
  });
});

it('whoever comes when: the urgent wait for no membership, others for ten minutes at most, and estimates know the order', async () => {
  const person = fc.record({
    minutes: fc.integer({ min: 0, max: 60 }),
    priority: fc.constantFrom(0, 0, 0, 1, 2),
    weight: fc.constantFrom(undefined, undefined, 30, 100),
  });
  const weights = new Map([30, 100].map((weight) => [weight, []] as [number, string[]]));
  let clinics = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(person, { minLength: 2, maxLength: 9 }), async (people) => {
      clinics += 1;
      const clinic = await aClinic(`C-${clinics}`);
      const entries: ShownEntry[] = [];
      for (const [index, { minutes, priority, weight }] of people.entries()) {
        const vips = weights.get(weight ?? -1);
        if (vips && weight !== undefined) vips[index] ??= await aVip(weight);
        const entry = await join(clinic, { priority, ...(vips ? { patientId: vips[index] } : {}) });
        const labels = await line(clinic);
        expect(labels.indexOf(entry.label)).toBe(entry.ahead);
        entries.push(entry);
        await age(entry, minutes);
      }
      const { waiting } = await read(clinic);
      const shown = waiting.map(({ entry }) => entry);
      for (const [ahead, entry] of shown.entries()) {
        expect((await within((work) => readTurn(work, clinic, entry))).ahead).toBe(ahead);
        for (const after of shown.slice(ahead + 1)) {
          const byTurns = Date.parse(entry.turn) - Date.parse(after.turn);
          // Who would go first without memberships is as urgent at most, and comes at most so much later.
          if (byTurns > 0) expect([after.priority <= entry.priority, byTurns <= 600_000]).toEqual([true, true]);
        }
      }
      const next = await callNext(clinic);
      expect(next?.id).toBe(shown[0]?.id);
      expect(shown).toHaveLength(entries.length);
    }),
    { numRuns: 12 },
  );
}, 120_000);
