/** The record of an employee, and the steps of their employment. */
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { ReadableForm } from '../../../kit/forms/readable-form.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { useChanges } from '../../../kit/live/changes.ts';
import { Phone } from '../../../kit/phones/phone.tsx';
import { useMay } from '../../../kit/roles/can.tsx';
import { roleName } from '../../../kit/roles/role-name.ts';
import { usePerson } from '../../../kit/session/use-session.ts';
import { ask } from '../../../kit/ui/ask.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { Facts } from '../../../kit/ui/facts.tsx';
import { useDepartments } from '../departments/departments.queries.ts';
import { bodyOf, type EmployeeFields, EmployeeFieldset, employeeFields, fieldsOf } from './employee.form.tsx';
import { StatusBadge } from './employees.page.tsx';
import { type Employee, employeeKeys, employeeQuery } from './employees.queries.ts';

const route = getRouteApi('/employees/$id');

export function EmployeePage() {
  const { id } = route.useParams();
  const found = useQuery(employeeQuery(id));
  useChanges('/api/hms/employees/changes', employeeKeys.all);
  if (found.data) return <Record key={id} employee={found.data} />;
  return found.isError ? (
    <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />
  ) : (
    <Skeleton height={240} animate={false} aria-busy />
  );
}

function Record({ employee }: { readonly employee: Employee }) {
  const { t } = useTranslation();
  const may = useMay();
  const person = usePerson();
  const queries = useQueryClient();
  const { id, firstName, lastName, employeeCode, status, accountId, roles } = employee;
  const isOwn = accountId === person.id;
  // Only an owner changes an owner.
  const mayDecide = may('changeEmployee') && (!roles.includes('OWNER') || person.roles.includes('OWNER'));
  const onSaved = (saved: Employee) => {
    queries.setQueryData(employeeKeys.one(id), saved);
    void queries.invalidateQueries({ queryKey: [employeeKeys.all] });
  };
  return (
    <Stack gap="md" maw="52rem">
      <Stack gap={2}>
        <PageHead title={`${firstName} ${lastName}`}>
          {mayDecide && !isOwn && <Steps {...{ employee, onSaved }} />}
        </PageHead>
        <Group gap="lg">
          <Text size="sm" className="hms-number" fw={600}>
            {employeeCode}
          </Text>
          <StatusBadge status={status} />
          <Text size="sm" role="status">
            {accountId === null && status !== 'terminated' ? t('employees.settingUp') : ''}
          </Text>
        </Group>
      </Stack>
      <Stack className="hms-panel" p="lg">
        <ReadableForm
          item={employee}
          schema={employeeFields}
          label={t('employees.details')}
          mayChange={mayDecide && status !== 'terminated'}
          valuesOf={fieldsOf}
          bodyOf={bodyOf}
          labelOf={(name) => t(`employees.${LABELS[name as keyof EmployeeFields]}`)}
          save={(body) => dataOf(api.PUT('/api/hms/employees/{id}', { params: { path: { id } }, body }))}
          read={() => queries.fetchQuery({ ...employeeQuery(id), staleTime: 0 })}
          onSaved={onSaved}
          fields={(form) => <EmployeeFieldset of={form} isOwn={isOwn} />}
        >
          <EmployeeFacts employee={employee} />
        </ReadableForm>
      </Stack>
    </Stack>
  );
}

function EmployeeFacts({ employee }: { readonly employee: Employee }) {
  const { t } = useTranslation();
  const { email, phone, title, departmentId, licenseNo, roles } = employee;
  const department = useDepartments().find(({ id }) => id === departmentId);
  return (
    <Facts
      facts={[
        { label: t('employees.jobTitle'), value: title && <bdi>{title}</bdi> },
        { label: t('employees.department'), value: department && <bdi>{department.name}</bdi> },
        { label: t('employees.roles'), value: roles.map(roleName).join(', ') },
        { label: t('employees.email'), value: <bdi>{email}</bdi> },
        { label: t('employees.phone'), value: phone && <Phone kept={phone} /> },
        { label: t('employees.licenseNo'), value: licenseNo && <bdi>{licenseNo}</bdi> },
      ]}
    />
  );
}

const LABELS = {
  firstName: 'firstName',
  lastName: 'lastName',
  email: 'email',
  phone: 'phone',
  title: 'jobTitle',
  licenseNo: 'licenseNo',
  departmentId: 'department',
  roles: 'roles',
} as const satisfies Readonly<Record<keyof EmployeeFields, string>>;

type Step = 'suspend' | 'activate' | 'terminate' | 'resend-invite';
const STEPS: Readonly<Record<Employee['status'], readonly Step[]>> = {
  invited: ['resend-invite', 'terminate'],
  active: ['suspend', 'terminate'],
  suspended: ['activate', 'terminate'],
  terminated: [],
};

function Steps({ employee, onSaved }: { readonly employee: Employee; readonly onSaved: (saved: Employee) => void }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState<Step>();
  const [error, setError] = useState<unknown>();
  const [done, setDone] = useState('');
  const { id, version, firstName, lastName, status } = employee;
  const name = `${firstName} ${lastName}`;
  const take = async (step: Step) => {
    const isGrave = step === 'suspend' || step === 'terminate';
    if (isGrave && !(await ask(t(`employees.confirm.${step}`, { name }), t(`employees.step.${step}`)))) return;
    setBusy(step);
    setError(undefined);
    setDone('');
    try {
      const sent = { params: { path: { id } }, body: { version } };
      onSaved(await dataOf(api.POST(`/api/hms/employees/{id}/${step}`, sent)));
      setDone(t(`employees.done.${step}`, { name }));
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <Stack gap="xs" align="flex-end">
      <Group gap="xs">
        {STEPS[status].map((step) => (
          <Button
            key={step}
            size="compact-md"
            variant="default"
            {...(step === 'terminate' ? { c: 'bad' } : {})}
            loading={busy === step}
            disabled={busy !== undefined && busy !== step}
            onClick={() => void take(step)}
          >
            {t(`employees.step.${step}`)}
          </Button>
        ))}
      </Group>
      <Text role="status" size="sm">
        {done}
      </Text>
      <ErrorPanel error={error} />
    </Stack>
  );
}
