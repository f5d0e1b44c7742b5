/** Who is in the hospital now: for the desk, and to print for an evacuation. */
import type { Renderer, VisitorList } from '@hms/documents';
import { DOCUMENTS_BUSY, printed } from '@hms/domain/printing';
import { leftToRight } from '@hms/domain/rendering';
import { listInside, type ShownVisitor, shownVisitor } from '@hms/domain/visitors';
import { type Route, route, type Work } from '@hms/service';
import { localeOf } from '@hms/tenancy';
import { z } from 'zod';
import { wordsOf } from './words.ts';

const PATH = '/api/crm/visitors/inside';

export function insideRoutes(renderer: Renderer): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      operationId: 'listVisitorsInside',
      summary: 'List everybody who visits a patient now',
      description: 'The first who came in is the first. The list has no pages.',
      access: 'visitors.read',
      response: z.array(shownVisitor),
      handler: async (context) => ({ data: await listInside(context) }),
    }),
    route({
      method: 'GET',
      path: `${PATH}/pdf`,
      operationId: 'printVisitorsInside',
      summary: 'Print everybody who visits a patient now, as a PDF',
      description: 'For an evacuation: by place, with a box to tick for each. Print it from time to time.',
      access: 'visitors.read',
      response: z.string().describe('A PDF'),
      contentType: 'application/pdf',
      database: 'none',
      errors: [DOCUMENTS_BUSY],
      handler: async (context) => {
        const { hospital } = context;
        const inside = await context.inTransaction(listInside);
        const now = new Date();
        const { language } = hospital.settings;
        const options = { branding: { hospital: hospital.displayName }, language, createdAt: now };
        return printed('visitors.pdf', renderer.render('visitor-list', listOf(inside, hospital, now), options));
      },
    }),
  ];
}

/** What is printed, in the language of the hospital. Pure. */
function listOf(
  inside: readonly ShownVisitor[],
  { settings, timezone }: Pick<Work['hospital'], 'settings' | 'timezone'>,
  now: Date,
): VisitorList {
  const word = wordsOf(settings.language);
  const locale = localeOf(settings);
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: timezone });
  const { compare } = new Intl.Collator(locale, { numeric: true });
  const byPlace = inside.toSorted(
    (one, other) => compare(one.place ?? '', other.place ?? '') || compare(one.name, other.name),
  );
  return {
    title: word.inside,
    count: new Intl.NumberFormat(locale).format(inside.length),
    columns: word.columns,
    rows: byPlace.map(({ name, passNo, phone, place, patientName, checkedInAt }) => ({
      visitor: name,
      notes: [[passNo, ...(phone ? [phone] : [])].map(leftToRight).join(' · ')],
      place: place ?? '',
      patient: patientName,
      since: checkedInAt === null ? '' : moment.format(new Date(checkedInAt)),
    })),
    issued: moment.format(now),
  };
}
