/** Finds a patient by a name, a number or a phone. */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { SearchPicker } from '../../../kit/forms/search-picker.tsx';
import { showDay } from '../../../kit/time/time.ts';
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
  return (
    <SearchPicker
      {...props}
      queryKey="patients"
      read={async (q, signal) => (await readPatients({ q }, signal)).data.slice(0, OFFERED)}
      rowKey={({ id }) => id}
      codeOf={({ patientCode }) => patientCode}
      render={({ firstName, lastName, patientCode, dateOfBirth }) => (
        <>
          <bdi>
            {firstName} {lastName}
          </bdi>{' '}
          <Text span size="sm" c="dimmed">
            <span className="hms-number">{patientCode}</span> · {showDay(dateOfBirth)}
          </Text>
        </>
      )}
    />
  );
}
