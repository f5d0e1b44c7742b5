/** The catalogue of the laboratory: tests with their ranges, and panels. */
import { isOrdered } from '@hms/domain/lab-orders';
import * as domain from '@hms/domain/lab-tests';
import { labPanels, labTests } from '@hms/domain/lab-tests';
import { Problem, type Route, records, resource, stepsOf } from '@hms/service';

const TESTS = '/api/hms/lab-tests';
const access = { read: 'lab-tests.read', write: 'lab-tests.write', remove: 'lab-tests.write' } as const;
const errors = [domain.LAB_TEST_CODE_TAKEN, domain.LAB_TEST_INVALID, domain.RANGE_OVERLAP];

const step = stepsOf(labTests, {
  ...{ path: TESTS, access: access.write, response: domain.labTestWithRanges },
  show: (_, test: domain.LabTestWithRanges) => test,
});

export const catalogueRoutes: readonly Route[] = [
  ...resource(labTests, {
    path: TESTS,
    access,
    create: {
      description: 'The test is a draft, which can not be ordered yet.',
      body: domain.newLabTest,
      response: domain.labTestWithRanges,
      errors,
      run: domain.createLabTest,
    },
    read: { response: domain.labTestWithRanges, run: domain.readLabTest },
    update: {
      description:
        'The type, the unit, the options and the specimen can be changed only in a draft. Results that exist keep the range with which they were compared.',
      body: domain.labTestChanges,
      response: domain.labTestWithRanges,
      errors: [...errors, domain.LAB_TEST_FIXED],
      run: (context, id, changes) => domain.changeLabTest(context, id, changes, context.version),
    },
    remove: {
      summary: 'Delete a lab test that was never ordered',
      errors: [domain.LAB_TEST_IN_USE],
      run: async (context, id) => {
        const own = records(context, labTests);
        const test = await own.lock(id, context.version);
        if ((await domain.panelsWith(context, id)).length > 0 || (await isOrdered(context, id)))
          throw new Problem(domain.LAB_TEST_IN_USE);
        return own.remove(test);
      },
    },
  }),
  step('activate', {
    summary: 'Activate a draft or a retired test, so that it can be ordered',
    run: (context, id) => domain.moveLabTest(context, id, 'active', context.version),
  }),
  step('retire', {
    summary: 'Retire a test: it can no longer be ordered. Orders that exist are completed',
    errors: [domain.LAB_TEST_IN_PANEL],
    run: (context, id) => domain.moveLabTest(context, id, 'retired', context.version),
  }),
  ...resource(labPanels, {
    path: '/api/hms/lab-panels',
    access,
    create: {
      errors: [domain.LAB_TEST_NOT_FOUND],
      run: domain.createLabPanel,
    },
    update: {
      description: 'Orders that exist keep their tests.',
      errors: [domain.LAB_TEST_NOT_FOUND],
      run: (context, id, changes) => domain.changeLabPanel(context, id, changes, context.version),
    },
  }),
];
