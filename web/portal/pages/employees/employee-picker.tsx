/** Finds an employee by a name, a number or an email address. */
import { Text } from '@mantine/core';
import { api, dataOf } from '../../../kit/api/api.ts';
import { SearchPicker } from '../../../kit/forms/search-picker.tsx';
import type { Employee } from './employees.queries.ts';

const MOST = 8;

interface Props {
  readonly label: string;
  readonly placeholder: string;
  readonly error?: string | undefined;
  /** Ids that are not offered. */
  readonly without: readonly string[];
  onPick(employee: Employee): void;
}

/** Those who have left are not offered. */
export function EmployeePicker({ without, ...props }: Props) {
  return (
    <SearchPicker<Employee>
      {...props}
      queryKey="employees"
      read={(q, signal) => dataOf(api.GET('/api/hms/employees', { params: { query: { q, limit: MOST } }, signal }))}
      rowKey={({ id }) => id}
      codeOf={({ employeeCode }) => employeeCode}
      isOffered={({ id, status }) => status !== 'terminated' && !without.includes(id)}
      render={(employee) => (
        <>
          <bdi>{fullName(employee)}</bdi>{' '}
          <Text span size="sm" c="dimmed">
            <bdi>{employee.title ?? employee.email}</bdi>
          </Text>
        </>
      )}
    />
  );
}

export function fullName({ firstName, lastName }: Pick<Employee, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`;
}
