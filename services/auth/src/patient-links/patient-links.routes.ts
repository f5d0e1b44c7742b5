/** What patients do with the links of their mails. The gateway demands a token in front of the other modules. */
import * as domain from '@hms/domain/patient-links';
import {
  admitted,
  HOSPITAL_NOT_READY,
  HOSPITAL_SUSPENDED,
  type Platform,
  type Route,
  route,
  type Work,
  workFor,
} from '@hms/service';
import { z } from 'zod';
import { HOSPITAL_UNKNOWN, hospitalName, openHospitalNamed } from '../hospital.ts';

/** Bytes. */
const BODY_LIMIT = 2048;
const LINK_ERRORS = [
  ...[HOSPITAL_UNKNOWN, HOSPITAL_SUSPENDED, HOSPITAL_NOT_READY],
  ...[domain.LINK_INVALID, domain.LINK_EXPIRED],
];

const opened = z.object({ hospital: hospitalName, link: domain.link });
const answered = opened.extend({ answer: domain.answer });

export function patientLinkRoutes(platform: Pick<Platform, 'registry' | 'tenants' | 'sealer'>): readonly Route[] {
  async function within<T>(name: string, clientAddress: string, work: (work: Work) => Promise<T>): Promise<T> {
    const hospital = await openHospitalNamed(platform.registry, name);
    return admitted(platform, hospital, () => workFor(platform, hospital, 'patient-link', work, { clientAddress }));
  }
  return [
    route({
      method: 'POST',
      path: '/api/auth/patient-links/read',
      operationId: 'readPatientLink',
      summary: 'What a patient sees by a link',
      description: 'The appointment, and the turn in the queue once the patient has a token. It changes nothing.',
      access: 'public',
      body: opened,
      bodyLimit: BODY_LIMIT,
      response: domain.visit,
      errors: LINK_ERRORS,
      handler: async ({ body: { hospital, link }, clientAddress }) => ({
        data: await within(hospital, clientAddress, (work) => domain.readVisit(work, link)),
      }),
    }),
    route({
      method: 'POST',
      path: '/api/auth/patient-links/answer',
      operationId: 'answerPatientLink',
      summary: 'Confirm, cancel, take or decline an appointment by a link',
      description: 'A link can be answered once. Whoever confirms gets another one by mail, to cancel after all.',
      access: 'public',
      body: answered,
      bodyLimit: BODY_LIMIT,
      response: domain.visit,
      errors: [...LINK_ERRORS, domain.LINK_USED, domain.TOO_LATE_TO_ANSWER],
      handler: async ({ body: { hospital, link, answer }, clientAddress }) => ({
        data: await within(hospital, clientAddress, (work) => domain.answerVisit(work, link, answer)),
      }),
    }),
  ];
}
