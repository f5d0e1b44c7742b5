/** Creates an employee, who gets an invitation. */
import { Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { FormBody, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { bodyOf, type EmployeeFields, EmployeeFieldset, employeeFields, NOBODY } from './employee.form.tsx';
import { type Employee, employeeKeys } from './employees.queries.ts';

export function NewEmployeePage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const form = useRecordForm<EmployeeFields, Employee>({
    schema: employeeFields,
    values: NOBODY,
    save: (values, key) =>
      dataOf(api.POST('/api/hms/employees', { params: { header: { 'Idempotency-Key': key } }, body: bodyOf(values) })),
    onSaved: ({ id }) => {
      void queries.invalidateQueries({ queryKey: [employeeKeys.all] });
      void navigate({ to: '/employees/$id', params: { id } });
    },
  });
  return (
    <Stack gap="md" maw="52rem">
      <PageHead title={t('employees.new')} />
      <Stack className="hms-panel" p="lg">
        <FormBody
          of={form}
          label={t('employees.new')}
          submitLabel={t('employees.create')}
          onCancel={() => void navigate({ to: '/employees', search: {} })}
        >
          <EmployeeFieldset of={form} />
        </FormBody>
      </Stack>
    </Stack>
  );
}
