/** How the files of documents are erased, and when. */
import { build } from '@hms/database';
import { removeDocument } from '@hms/domain/documents';
import { workFor } from '@hms/service';
import { describe, expect, it } from '@jest/globals';
import { until } from '../../../../test/support/until.ts';
import {
  announce,
  audited,
  available,
  complete,
  create,
  documentsOf,
  erased,
  hms,
  keyOf,
  letTimePass,
  listed,
  mary,
  type NewDocument,
  objects,
  owner,
  PDF,
  patient,
  proxy,
  settleAll,
  upload,
  uploaded,
  urlOf,
  withdraw,
} from './testing.ts';

describe('withdrawing', () => {
  it('erases the file with all its versions', async () => {
    const document = await available();
    // The URL still works, and can only store the same content again.
    await upload(document.upload, PDF);
    const { url } = (await urlOf(document.id)).data<{ url: string }>();
    expect((await withdraw(document.id)).data()).toMatchObject({ id: document.id, deletedAt: expect.any(String) });
    await erased(0);
    expect((await fetch(url)).status).toBe(404);
    expect(await listed()).toEqual([]);
    expect(await urlOf(document.id)).toMatchObject({ status: 404 });
    expect(await withdraw(document.id)).toMatchObject({ status: 404 });
  });

  it('demands the version that was read, if the client says one', async () => {
    const { id } = await available();
    const stale = await withdraw(id, owner, { reason: 'Of somebody else', version: 1 });
    expect(stale).toMatchObject({ status: 409, error: { code: 'STALE_VERSION', details: { version: 2 } } });
    const header = { token: owner, headers: { 'If-Match': '"2"' }, body: { reason: 'Of somebody else' } };
    expect(await hms.send('POST', `${documentsOf(patient)}/${id}/withdraw`, header)).toMatchObject({ status: 200 });
  });

  it('erases the file later if the S3 server fails', async () => {
    const { id } = await available();
    // Not by the route: any process of the module may run its task, and only this one is behind the proxy.
    await workFor(hms.platform, mary.hospital, 'test', (work) => removeDocument(work, id));
    await proxy.set('refuse');
    await expect(settleAll()).rejects.toThrow('S3 server');
    expect(await objects()).toHaveLength(1);
    await proxy.set('pass');
    await settleAll();
    expect(await objects()).toEqual([]);
  });

  it('during an upload leaves nothing for ever', async () => {
    const document = (await create(announce(PDF, 'application/pdf'))).data<NewDocument>();
    await withdraw(document.id);
    const completed = () =>
      hms.platform.tenants.inTenant(mary.hospital, (trx) => trx.run(build.from('completed_tasks').select('id')));
    await until('the task to end', completed, ({ length }) => length === 1);
    expect((await upload(document.upload, PDF)).status).toBe(200);
    expect(await objects()).toHaveLength(1);
    await letTimePass(61);
    await settleAll();
    expect(await objects()).toEqual([]);
  });
});

describe('after an hour', () => {
  it('the task of each document runs', async () => {
    const { createdAt } = (await create(announce(PDF, 'application/pdf'))).data<NewDocument>();
    const { rows } = await hms.operator.raw<{ rows: { run_at: Date }[] }>(
      "SELECT j.run_at FROM graphile_worker._private_jobs j WHERE j.payload->>'hospital' = ?",
      [mary.hospital.id],
    );
    expect(rows).toHaveLength(1);
    const seconds = (Number(rows[0]?.run_at) - Date.parse(createdAt)) / 1000;
    expect(seconds).toBeGreaterThan(3600);
    expect(seconds).toBeLessThan(3700);
  });

  const states = async () => {
    const rows = await hms.platform.tenants.inTenant(mary.hospital, (trx) =>
      trx.run<{ id: string; deleted_at: Date | null }>(
        build.from('patient_documents').select('id', 'deleted_at').orderBy('created_at'),
      ),
    );
    return rows.map(({ deleted_at }) => deleted_at !== null);
  };

  it('deletes uploads that were never completed, and nothing else', async () => {
    const old = await uploaded();
    const kept = await available();
    await letTimePass(61);
    const recent = await uploaded();
    await settleAll();
    expect((await objects()).sort()).toEqual([keyOf(kept.id), keyOf(recent.id)].sort());
    expect(await complete(old.id)).toMatchObject({ status: 404 });
    expect(await complete(recent.id)).toMatchObject({ status: 200 });
    expect(await states()).toEqual([true, false, false]);
  });

  it('can run twice at once', async () => {
    await uploaded();
    await letTimePass(61);
    await Promise.all([settleAll(), settleAll(), settleAll()]);
    expect(await objects()).toEqual([]);
    const deletions = (await audited()).filter(({ action }) => action === 'delete');
    expect(deletions).toEqual([expect.objectContaining({ actor: 'task:settle', patient_id: patient.id })]);
  });

  it('finishes what an earlier one left when the S3 server failed', async () => {
    await uploaded();
    await letTimePass(61);
    await proxy.set('refuse');
    await expect(settleAll()).rejects.toThrow('S3 server');
    expect(await states()).toEqual([true]);
    await proxy.set('pass');
    await settleAll();
    expect(await states()).toEqual([true]);
    expect(await objects()).toEqual([]);
  });
});
