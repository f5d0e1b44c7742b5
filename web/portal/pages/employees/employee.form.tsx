/** The fields of an employee, for the new one and for the record. */
import { NewEmployee } from '@hms/api-client/limits/NewEmployee';
import { Checkbox, NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { textIn } from '../../../kit/forms/limits.ts';
import { Field, problemOf, type RecordForm } from '../../../kit/forms/record-form.tsx';
import { PhoneField } from '../../../kit/phones/phone-field.tsx';
import { phoneIn } from '../../../kit/phones/phone-limit.ts';
import { roleName } from '../../../kit/roles/role-name.ts';
import { usePerson } from '../../../kit/session/use-session.ts';
import { departmentsQuery } from '../departments/departments.queries.ts';
import { useStaffRoles } from '../roles/roles.queries.ts';
import type { Employee } from './employees.queries.ts';

/** What can be said without the server, which decides. */
export const employeeFields = z.object({
  firstName: textIn(NewEmployee.firstName),
  lastName: textIn(NewEmployee.lastName),
  email: textIn(NewEmployee.email, 'email'),
  phone: phoneIn(NewEmployee.phone),
  title: textIn(NewEmployee.title),
  licenseNo: textIn(NewEmployee.licenseNo),
  departmentId: z.string(),
  roles: z.array(z.string()).check(z.minLength(1, 'role')),
});
export type EmployeeFields = z.output<typeof employeeFields>;

export const NOBODY: EmployeeFields = {
  ...{ firstName: '', lastName: '', email: '', phone: '', title: '', licenseNo: '', departmentId: '' },
  roles: [],
};

export function fieldsOf({
  firstName,
  lastName,
  email,
  phone,
  title,
  licenseNo,
  departmentId,
  roles,
}: Employee): EmployeeFields {
  return {
    ...{ firstName, lastName, email, phone: phone ?? '', title: title ?? '', licenseNo: licenseNo ?? '' },
    departmentId: departmentId ?? '',
    roles,
  };
}

/** As the module takes them: an empty text is none. */
export function bodyOf({ phone, title, licenseNo, departmentId, ...fields }: EmployeeFields) {
  const orNull = (value: string) => (value === '' ? null : value);
  return {
    ...fields,
    phone: orNull(phone),
    title: orNull(title),
    licenseNo: orNull(licenseNo),
    departmentId: orNull(departmentId),
  };
}

interface Props {
  readonly of: RecordForm<EmployeeFields>;
  /** Nobody decides about their own roles. */
  readonly isOwn?: boolean;
}

export function EmployeeFieldset({ of, isOwn = false }: Props) {
  const { t } = useTranslation();
  const isOwner = usePerson().roles.includes('OWNER');
  const staffRoles = useStaffRoles();
  const departments = useQuery(departmentsQuery()).data ?? [];
  const common = { of, autoComplete: 'off' };
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <Field {...common} name="firstName" label={t('employees.firstName')} required autoFocus />
        <Field {...common} name="lastName" label={t('employees.lastName')} required />
        <Field
          {...common}
          name="email"
          type="email"
          dir="ltr"
          label={t('employees.email')}
          description={t('employees.emailHow')}
          required
        />
        <PhoneField of={of} name="phone" label={t('employees.phone')} />
        <Field {...common} name="title" label={t('employees.jobTitle')} />
        <Controller
          control={of.form.control}
          name="departmentId"
          render={({ field }) => (
            <NativeSelect
              {...field}
              label={t('employees.department')}
              data={[{ value: '', label: '–' }, ...departments.map(({ id, name }) => ({ value: id, label: name }))]}
            />
          )}
        />
        <Field {...common} name="licenseNo" label={t('employees.licenseNo')} />
      </SimpleGrid>
      <Controller
        control={of.form.control}
        name="roles"
        render={({ field, fieldState }) => (
          <Checkbox.Group
            label={t('employees.roles')}
            description={isOwn ? t('employees.ownRoles') : undefined}
            required
            error={problemOf(fieldState.error?.message)}
            value={field.value}
            onChange={field.onChange}
          >
            <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="xs" mt="xs">
              {[...new Set([...staffRoles, ...field.value])].map((role) => (
                <Checkbox
                  key={role}
                  value={role}
                  label={roleName(role)}
                  disabled={isOwn || (role === 'OWNER' && !isOwner)}
                />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
        )}
      />
    </Stack>
  );
}
