import { describe, expect, it } from '@jest/globals';
import { type MailHospital, render, type TemplateValues } from './templates.ts';

const MARY: MailHospital = { displayName: "St. Mary's <Hospital>", language: 'en', theme: { primaryColor: '#ff0066' } };
const VALUES = { code: '123456', minutes: 5 };

describe('render', () => {
  it("shows the hospital's name and color, with every value escaped in HTML and plain in text", () => {
    const { subject, text, html } = render('login-code', MARY, { ...VALUES, code: '<img src=x>' });
    expect(subject).toBe("<img src=x> is your code for St. Mary's <Hospital>");
    expect(text).toContain("Your code to log in to St. Mary's <Hospital>: <img src=x>");
    expect(html).toContain('St. Mary&#39;s &lt;Hospital&gt;');
    expect(html).toContain('&lt;img src&#x3D;x&gt;');
    expect(html).toContain('border-top: 4px solid #ff0066');
    expect(html).toMatch(/<html lang="en" dir="ltr">/);
  });

  it('is written from right to left in Arabic, and in English if there is no translation', () => {
    const arabic = render('login-code', { ...MARY, language: 'ar-EG' }, VALUES);
    expect(arabic.html).toMatch(/<html lang="ar" dir="rtl">/);
    expect(arabic.text).toContain('رمز');
    expect(render('login-code', { ...MARY, language: 'pt-BR' }, VALUES).html).toContain('lang="en"');
  });

  it('contains nothing that a mail program would fetch, with a logo and without', () => {
    const logo = { contentType: 'image/png', content: Buffer.from('png') };
    const [plain, branded] = [MARY, { ...MARY, logo }].map((hospital) => render('login-code', hospital, VALUES).html);
    expect(branded).toContain('src="cid:logo@hms"');
    expect(plain).not.toContain('<img');
    for (const html of [plain, branded]) expect(html).not.toMatch(/https?:|url\(|src="(?!cid:)/i);
  });

  it('ignores a color that is more than a color, and puts no line end into the subject', () => {
    const theme = { primaryColor: '#fff; background: url(x)' };
    const { html, subject } = render('login-code', { ...MARY, theme, displayName: 'A\r\nBcc: x@y' }, VALUES);
    expect(html).toContain('border-top: 4px solid #0b7285');
    expect(subject).toBe('123456 is your code for A Bcc: x@y');
  });

  it('names a value that is missing', () => {
    const incomplete = { code: '1' } as unknown as TemplateValues['login-code'];
    expect(() => render('login-code', MARY, incomplete)).toThrow('a mail template needs the value minutes');
  });

  it('lists the times of a series, and says whether mails come before them', () => {
    const groups = [{ doctor: 'Dr. House', clinic: 'ENT', times: ['Monday <1>', 'Monday 2'] }];
    const seriesIn = (language: string, isReminded: boolean) =>
      render('appointment-series', { ...MARY, language }, { firstName: 'Nora', groups, isReminded });
    const { text, html } = seriesIn('en', true);
    expect(text).toContain('Dr. House, ENT\n- Monday <1>\n- Monday 2\n\nYou get a mail before each of them');
    expect(html).toContain('<ul><li><b>Monday &lt;1&gt;</b></li><li><b>Monday 2</b></li></ul>');
    expect(text).not.toContain('To confirm, change');
    expect(seriesIn('en', false).text).toMatch(/\n\nTo confirm, change or cancel one of them, call the hospital\.\n$/);
    expect(seriesIn('ar', true).text).toContain('- Monday 2\n\nستصلك قبل كل موعد رسالة');
    expect(seriesIn('ar', false).html).not.toContain('ستصلك');
    const cancelled = { firstName: 'Nora', groups };
    expect(render('appointment-series-cancelled', MARY, cancelled).text).toContain('- Monday <1>\n- Monday 2\n');
    expect(render('appointment-series-cancelled', { ...MARY, language: 'ar' }, cancelled).html).toContain('أُلغيت');
  });

  it('says whether an appointment is new, has moved or is confirmed', () => {
    const appointment = { firstName: 'Nora', when: 'Monday', doctor: 'Dr. House', clinic: 'ENT', link: 'https://x' };
    const textOf = (isMoved: boolean, isConfirmed: boolean) => {
      const { subject, text } = render('appointment', MARY, { ...appointment, isMoved, isConfirmed });
      return [subject, text.split('\n')[2]];
    };
    const at = "at St. Mary's <Hospital>";
    expect(textOf(false, false)).toEqual(['Your appointment on Monday', `you have an appointment ${at}:`]);
    expect(textOf(false, true)).toEqual(['Your appointment on Monday', `your appointment ${at} is confirmed:`]);
    expect(textOf(true, false)).toEqual([
      'Your appointment has moved to Monday',
      `your appointment ${at} has another time now:`,
    ]);
  });
});
