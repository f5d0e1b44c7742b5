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
  /** Whether those who have left are offered too. */
  readonly withFormer?: boolean;
  onOther?(text: string): boolean;
}

export function EmployeePicker({ without, withFormer = false, ...props }: Props) {
  return (
    <SearchPicker<Employee>
      {...props}
      queryKey="employees"
      read={(q, signal) => dataOf(api.GET('/api/hms/employees', { params: { query: { q, limit: MOST } }, signal }))}
      rowKey={({ id }) => id}
      codeOf={({ employeeCode }) => employeeCode}
      isOffered={({ id, status }) => (withFormer || status !== 'terminated') && !without.includes(id)}
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
