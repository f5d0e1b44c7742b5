/** The pass of a visitor, to print on a label at once. It is not kept. */
import { barcode, type PersonLabels, qrCode, type Renderer } from '@hms/documents';
import { DOCUMENTS_BUSY, printed } from '@hms/domain/printing';
import { inZone } from '@hms/domain/schedules';
import { readVisitor, type ShownVisitor, visitors } from '@hms/domain/visitors';
import { fields, type Route, route, type Work } from '@hms/service';
import { localeOf } from '@hms/tenancy';
import { z } from 'zod';
import { wordsOf } from './words.ts';

export function passRoute(renderer: Renderer): Route {
  return route({
    method: 'GET',
    path: '/api/crm/visitors/:id/label',
    operationId: 'readVisitorLabel',
    summary: 'Print the pass of a visitor as a PDF',
    description:
      'A label of 62 × 29 mm. The barcode (Code 128) and the QR code are the scan code. It does not name the patient.',
    access: 'visitors.read',
    params: fields.idParams,
    response: z.string().describe('A PDF'),
    contentType: 'application/pdf',
    database: 'none',
    errors: [visitors.notFound, DOCUMENTS_BUSY],
    handler: async (context) => {
      const { hospital, params } = context;
      const visitor = await context.inTransaction((work) => readVisitor(work, params.id));
      const options = {
        branding: { hospital: hospital.displayName },
        language: hospital.settings.language,
        createdAt: new Date(),
      };
      return printed(`${visitor.passNo}.pdf`, renderer.render('person-labels', labelOf(visitor, hospital), options));
    },
  });
}

/** What is printed, in the language of the hospital. Pure. */
function labelOf(
  { passNo, scanCode, name, place, validTo }: Pick<ShownVisitor, 'passNo' | 'scanCode' | 'name' | 'place' | 'validTo'>,
  { settings, timezone }: Pick<Work['hospital'], 'settings' | 'timezone'>,
): PersonLabels {
  const { language } = settings;
  const word = wordsOf(language);
  return {
    ...{ form: 'label', copies: 1, code: passNo, name },
    facts: [`${word.until}: ${endOf(validTo, localeOf(settings), timezone)}`, ...(place === null ? [] : [place])].join(
      ' | ',
    ),
    warning: word.visitor.toLocaleUpperCase(language),
    barcode: barcode(scanCode),
    qrCode: qrCode(scanCode),
  };
}

/** The last day of a pass that ends with a day, or the moment at which it ends. */
function endOf(validTo: string, locale: string, timeZone: string): string {
  const end = Date.parse(validTo);
  const isMidnight = inZone(end, timeZone).slice(11, 16) === '00:00';
  const format = new Intl.DateTimeFormat(locale, {
    ...{ timeZone, dateStyle: 'short' },
    ...(isMidnight ? {} : { timeStyle: 'short' }),
  });
  return format.format(isMidnight ? end - 1 : end);
}
