import * as domain from '@hms/domain/lab-orders';
import { type Route, route } from '@hms/service';

/** Bytes of a request with the longest file, whose characters may be escaped in JSON. */
const BODY_LIMIT = 4 * domain.LONGEST_ANALYSER_FILE;

const ABOUT = `
The file has at most ${domain.MOST_ANALYSER_ROWS.toLocaleString('en')} rows after a line with the names of its columns:
${domain.ANALYSER_COLUMNS.join(', ')}. ${domain.REQUIRED_ANALYSER_COLUMNS.join(', ')} are required. Each row is imported
or refused as a whole, and the answer names what is wrong with it. A row that was imported before is left out, so a file
can be sent again. Another person than the one who sends the file has to verify the results.`
  .replaceAll('\n', ' ')
  .trim();

export const analyserRoute: Route = route({
  method: 'POST',
  path: '/api/hms/lab-results/import',
  operationId: 'importLabResults',
  summary: 'Import results from the CSV file of an analyser',
  description: ABOUT,
  access: 'lab-results.write',
  body: domain.analyserFile,
  bodyLimit: BODY_LIMIT,
  response: domain.analyserOutcome,
  errors: [domain.IMPORT_FILE_INVALID],
  handler: async (context) => ({ data: await domain.importAnalyserFile(context, context.body) }),
});
