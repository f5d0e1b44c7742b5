/** Documents of a patient in the portal: what they are, how they are shown, and how they are withdrawn. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { focused, overflow, picture, register, Scene, scriptsIn, violations } from '../support/browser.ts';

let scene: Scene;
let page: Page;
let record: string;
let scripts: readonly string[];

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  page = await scene.loggedIn('RECEPTION');
  scripts = scriptsIn(page);
  record = `${scene.origin}/patients/${await register(page, scene.origin, { firstName: 'Nora', lastName: 'Quinn' })}`;
}, 180_000);
afterAll(() => scene?.stop());

/** Pages with a line each, and a script that a reader of PDFs would run when the file is opened. */
function pdfWith(lines: readonly string[]): Buffer {
  const pages = lines.map((_, index) => `${index * 2 + 5} 0 R`).join(' ');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R/OpenAction 4 0 R>>',
    `<</Type/Pages/Count ${lines.length}/Kids[${pages}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    '<</S/JavaScript/JS(app.alert\\("ran"\\); this.ran = 1)>>',
    ...lines.flatMap((line, index) => {
      const content = `BT /F 36 Tf 72 700 Td (${line}) Tj ET`;
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>/Contents ${index * 2 + 6} 0 R>>`,
        `<</Length ${content.length}>>stream\n${content}\nendstream`,
      ];
    }),
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.7\n${body}trailer<</Root 1 0 R/Size ${objects.length + 1}>>\n%%EOF\n`);
}

const REFERRAL = {
  name: 'scan-0017.pdf',
  mimeType: 'application/pdf',
  buffer: pdfWith(['Dear colleague', 'Page two']),
};
const BROKEN = { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\nnothing') };
const choose = (...files: readonly (typeof REFERRAL)[]) =>
  page
    .getByRole('tabpanel')
    .locator('input[type=file]')
    .setInputFiles([...files]);
const row = (name: string, on = page) => on.getByRole('row', { name });
const dialog = () => page.getByRole('dialog');
/** How many pixels of the page of a PDF are dark. */
const darkPixels = () =>
  page.evaluate<number>(`(() => {
    const { width, height } = document.querySelector('canvas');
    const { data } = document.querySelector('canvas').getContext('2d').getImageData(0, 0, width, height);
    return data.filter((value, index) => index % 4 === 0 && value < 100).length;
  })()`);

describe('characters that no font has', () => {
  const NOTE = 'codes for characters that could not be printed: \u2066U+1F600\u2069';

  it('are named after a direct print, until the person leaves the page, and beside a stored document', async () => {
    const doctor = await scene.loggedIn('DOCTOR');
    const id = await register(doctor, scene.origin, { firstName: 'Nora', lastName: 'Smile 😀' });
    await doctor.getByRole('button', { name: 'Wristband' }).click();
    await doctor.getByText(NOTE).waitFor();
    expect(await violations(doctor)).toEqual([]);
    await doctor.setViewportSize({ width: 320, height: 640 });
    expect(await overflow(doctor)).toBe(0);
    await doctor.setViewportSize({ width: 1280, height: 800 });
    await doctor.getByRole('link', { name: 'Patients', exact: true }).click();
    await doctor.getByText(NOTE).waitFor({ state: 'detached' });
    await doctor.goto(`${scene.origin}/patients/${id}?tab=documents`);
    await doctor.getByRole('button', { name: 'Make a summary' }).click();
    const beside = row('Summary', doctor).getByText('The document shows their codes: \u2066U+1F600\u2069');
    await beside.waitFor();
    expect(await violations(doctor)).toEqual([]);
    await doctor.context().close();
  });
});

describe('uploading', () => {
  it('asks for the kind and the title, and Enter saves', async () => {
    await page.goto(`${record}?tab=documents`);
    await page.getByText('There are no documents yet.').waitFor();
    await choose(REFERRAL);
    expect(await dialog().getByLabel('Title').inputValue()).toBe('scan-0017');
    expect(await focused(page)).toBe('Kind');
    expect(await violations(page)).toEqual([]);
    await dialog().getByLabel('Kind').selectOption('Referral');
    await dialog().getByLabel('Title').fill('From Dr. Byrne');
    await page.keyboard.press('Enter');
    await row('From Dr. Byrne').waitFor();
    expect(await row('From Dr. Byrne').textContent()).toMatch(/From Dr. Byrne.*scan-0017\.pdf.*Referral/);
    await dialog().waitFor({ state: 'detached' });
  });

  it('takes more than one file, also by drag and drop', async () => {
    const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 200, height: 100 } });
    const files = [
      { name: 'card.png', type: 'image/png', data: buffer.toString('base64') },
      { name: BROKEN.name, type: BROKEN.mimeType, data: BROKEN.buffer.toString('base64') },
    ];
    await page.evaluate(`(() => {
      const dropped = new DataTransfer();
      for (const { name, type, data } of ${JSON.stringify(files)})
        dropped.items.add(new File([Uint8Array.from(atob(data), (one) => one.charCodeAt(0))], name, { type }));
      document.querySelector('[role=tabpanel] .hms-panel')
        .dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }));
    })()`);
    await dialog().getByRole('group', { name: 'card.png' }).getByLabel('Kind').selectOption('Insurance');
    await picture(page, 'document-upload');
    await dialog().getByRole('button', { name: 'Upload', exact: true }).click();
    await row('card.png').waitFor();
    await row('broken.pdf').waitFor();
    await dialog().waitFor({ state: 'detached' });
    expect(await violations(page)).toEqual([]);
  });

  it('leads to a list that is narrowed by kind', async () => {
    await page.getByRole('tabpanel').getByLabel('Kind').selectOption('Insurance');
    await row('scan-0017.pdf').waitFor({ state: 'detached' });
    await row('card.png').waitFor();
    await page.getByRole('tabpanel').getByLabel('Kind').selectOption('Consent');
    await page.getByText('There are no documents of this kind.').waitFor();
    await page.getByRole('tabpanel').getByLabel('Kind').selectOption('All');
    await row('scan-0017.pdf').waitFor();
  });

  it('can be corrected', async () => {
    await page.getByRole('button', { name: 'Change card', exact: true }).click();
    await dialog().getByLabel('Title').fill('Insurance card');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await row('Insurance card').waitFor();
    await dialog().waitFor({ state: 'detached' });
  });
});

describe('a preview', () => {
  it('shows a PDF page by page, runs nothing in it, and gives the focus back', async () => {
    await page.getByRole('button', { name: 'Show From Dr. Byrne' }).press('Enter');
    await page.locator('canvas[data-drawn="1"]').waitFor();
    const first = await darkPixels();
    expect(first).toBeGreaterThan(200);
    expect(await violations(page)).toEqual([]);
    await picture(page, 'document-preview');
    await dialog().getByRole('button', { name: 'Next page' }).click();
    await page.locator('canvas[data-drawn="2"]').waitFor();
    await dialog().getByText('Page 2 of 2').waitFor();
    expect(await darkPixels()).not.toBe(first);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Show From Dr. Byrne');
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(scripts).toEqual([]);
  });

  it('shows a picture', async () => {
    await page.getByRole('button', { name: 'Show Insurance card' }).click();
    const shown = dialog().getByRole('img', { name: 'Insurance card' });
    await shown.waitFor();
    await page.waitForFunction("document.querySelector('img.hms-preview').naturalWidth === 200");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('says what can not be shown, and gives the file', async () => {
    await page.getByRole('button', { name: 'Show broken' }).click();
    await dialog().getByText('This file can’t be shown here.').waitFor();
    const download = page.waitForEvent('download');
    await dialog().getByRole('button', { name: 'Download' }).click();
    expect(Buffer.concat(await (await (await download).createReadStream()).toArray())).toEqual(BROKEN.buffer);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('says that the storage does not answer, and tries again', async () => {
    const ofStorage = (url: URL) => url.searchParams.has('X-Amz-Signature');
    await page.route(ofStorage, (route) => route.abort());
    await page.getByRole('button', { name: 'Show Insurance card' }).click();
    await dialog().getByText('The storage of files does not give the file at the moment.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.unroute(ofStorage);
    await dialog().getByRole('button', { name: 'Try again' }).click();
    await dialog().getByRole('img', { name: 'Insurance card' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });
});

describe('withdrawing', () => {
  it('is for who added it, with a reason that the timeline shows', async () => {
    const nurse = await scene.loggedIn('NURSE');
    await nurse.goto(`${record}?tab=documents`);
    await row('broken.pdf', nurse).waitFor();
    expect(await nurse.getByRole('button', { name: /^Withdraw/ }).count()).toBe(0);
    await nurse.context().close();
    await page.getByRole('button', { name: 'Withdraw broken' }).click();
    await dialog().getByRole('textbox').fill('no');
    await dialog().getByRole('button', { name: 'Withdraw', exact: true }).click();
    await dialog().getByText('Write at least three characters.').waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog().getByRole('textbox').fill('It is damaged');
    await dialog().getByRole('button', { name: 'Withdraw', exact: true }).click();
    await row('broken.pdf').waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByText('Document “broken” withdrawn').waitFor();
  });

  it('is for administrators too', async () => {
    const admin = await scene.loggedIn('ADMIN');
    await admin.goto(`${record}?tab=documents`);
    await admin.getByRole('button', { name: 'Withdraw From Dr. Byrne' }).waitFor();
    await admin.context().close();
  });
});

it('fits on a phone, in Arabic', async () => {
  const phone = await scene.context({ viewport: { width: 360, height: 740 }, hasTouch: true, locale: 'ar' });
  const arabic = await phone.newPage();
  const { email, password } = await scene.person('RECEPTION');
  await arabic.goto(`${record}?tab=documents`);
  await arabic.getByLabel('البريد الإلكتروني').fill(email);
  await arabic.getByLabel('كلمة المرور', { exact: true }).fill(password);
  await arabic.keyboard.press('Enter');
  await arabic.getByRole('button', { name: 'عرض From Dr. Byrne' }).waitFor();
  expect([await overflow(arabic), await violations(arabic)]).toEqual([0, []]);
  await arabic.getByRole('button', { name: 'عرض From Dr. Byrne' }).click();
  await arabic.locator('canvas[data-drawn="1"]').waitFor();
  expect([await overflow(arabic), await violations(arabic)]).toEqual([0, []]);
  await phone.close();
});
