/** Labels for what is dispensed, to stick on the packages. They are not kept. */
import type { DispenseLabels, Renderer } from '@hms/documents';
import * as domain from '@hms/domain/prescriptions';
import { DOCUMENTS_BUSY, printed } from '@hms/domain/printing';
import { isolated, leftToRight } from '@hms/domain/rendering';
import { fields, Problem, type Route, route, type Work } from '@hms/service';
import { localeOf } from '@hms/tenancy';
import { z } from 'zod';
import { languageOfWords, words } from './words.ts';

export function dispenseLabelsRoute(renderer: Renderer): Route {
  return route({
    method: 'GET',
    path: '/api/hms/dispenses/:id/labels',
    operationId: 'readDispenseLabels',
    summary: 'Print the labels of what was dispensed as a PDF',
    description:
      'One page of 76 × 51 mm for each drug and batch, except for what has come back. Long instructions go on with another page.',
    access: 'dispenses.read',
    params: fields.idParams,
    response: z.string().describe('A PDF'),
    contentType: 'application/pdf',
    database: 'none',
    errors: [domain.DISPENSE_NOT_FOUND, domain.DISPENSE_RETURNED, DOCUMENTS_BUSY],
    handler: async (context) => {
      const { hospital } = context;
      const [dispense, prescription] = await context.inTransaction(async (work) => {
        const found = await domain.readDispense(work, context.params.id);
        return [found, await domain.readPrescription(work, found.prescriptionId)] as const;
      });
      const data = labelsOf(dispense, prescription, hospital);
      if (data.labels.length === 0) throw new Problem(domain.DISPENSE_RETURNED);
      const language = languageOfWords(hospital.settings.language);
      const options = { branding: { hospital: hospital.displayName }, language, createdAt: new Date() };
      return printed(`${dispense.dispenseNo}-labels.pdf`, renderer.render('dispense-labels', data, options));
    },
  });
}

/**
 * What is printed, in the language of the hospital. Without words in it, all of it is in English, because patients read
 * it. Pure.
 */
export function labelsOf(
  { dispenseNo, createdAt, lines }: domain.ShownDispense,
  { rxNo, patientName, patientCode, items }: domain.ShownPrescription,
  { settings, timezone }: Pick<Work['hospital'], 'settings' | 'timezone'>,
): DispenseLabels {
  const language = languageOfWords(settings.language);
  const locale = localeOf({ ...settings, language });
  const { label: word } = words(language);
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const dispensedOn = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: timezone });
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 3 });
  const directions = directionsIn(language);
  const inHands = lines.filter(({ quantity, returned }) => returned < quantity);
  return {
    ...{ dispenseNo, name: patientName, patientCode, phone: settings.phone ?? '' },
    labels: inHands.flatMap(({ itemId, drugName, strength, form, unit, batchNo, expiresOn, quantity, returned }) => {
      const item = items.find(({ id }) => id === itemId);
      if (!item) return [];
      const drug = strength === null ? drugName : `${drugName} ${leftToRight(strength)}`;
      return [
        {
          drug: `${drug}${word.comma}${form}`,
          directions: directions(item),
          instructions: item.instructions ?? '',
          facts: [
            [word.quantity, isolated(`${number.format(quantity - returned)} ${unit}`)],
            [word.batch, leftToRight(batchNo)],
            [word.expires, day.format(new Date(expiresOn))],
            [word.dispensed, dispensedOn.format(new Date(createdAt))],
            [word.prescription, leftToRight(rxNo)],
          ],
        },
      ];
    }),
  };
}

type Item = domain.ShownPrescription['items'][number];

/** Such as `1 tablet, 3 times a day, for 7 days`. */
function directionsIn(language: string) {
  const { label: word } = words(language);
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 3 });
  const days = new Intl.NumberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'long' });
  const plurals = new Intl.PluralRules(language);
  return ({ dose, unit, timesPerDay, durationDays }: Item): string =>
    [
      isolated(`${number.format(dose)} ${unit}`),
      (word.timesPerDay[plurals.select(timesPerDay)] ?? word.timesPerDay.other).replace(
        '{count}',
        number.format(timesPerDay),
      ),
      word.duration.replace('{days}', days.format(durationDays)),
    ].join(word.comma);
}
