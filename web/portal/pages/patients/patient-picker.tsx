/** Finds a patient by a name, a number or a phone. */

import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchPicker } from '../../../kit/forms/search-picker.tsx';
import { bornText, nameOf } from './identity.ts';
import { type Patient, readPatients } from './patients.queries.ts';

/** More would hide the form below. */
const OFFERED = 6;

interface Props {
  readonly label: string;
  readonly placeholder?: string;
  readonly isFirst?: boolean;
  readonly error?: string | undefined;
  readonly id?: string;
  onPick(patient: Patient): void;
}

export function PatientPicker(props: Props): ReactNode {
  const { t } = useTranslation();
  return (
    <SearchPicker
      {...props}
      queryKey="patients"
      read={async (q, signal) => (await readPatients({ q }, signal)).data.slice(0, OFFERED)}
      rowKey={({ id }) => id}
      codeOf={({ patientCode }) => patientCode}
      render={(patient) => (
        <>
          <bdi>{nameOf(patient)}</bdi>{' '}
          <Text span size="sm" c="dimmed">
            <span className="hms-number">{patient.patientCode}</span> · {bornText(t, patient.dateOfBirth)}
          </Text>
        </>
      )}
    />
  );
}
