/** The fields of a report by mail, for the new one and for the record. */
import { NewReportSchedule } from '@hms/api-client/limits/NewReportSchedule';
import { CloseButton, type ComboboxItem, Group, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { textIn } from '../../../kit/forms/limits.ts';
import { Field, problemOf, type RecordForm } from '../../../kit/forms/record-form.tsx';
import { EmployeePicker, fullName } from '../employees/employee-picker.tsx';
import type { Plan } from './mail.queries.ts';
import { useNames } from './names.ts';
import { catalogueQuery, type Report } from './reports.queries.ts';

const { period, sendAt, title } = NewReportSchedule;

export const planFields = z.object({
  report: z.string().check(z.minLength(1, 'report')),
  groupBy: z.string().check(z.minLength(1, 'report')),
  title: textIn(title),
  period: z.enum(period.choices),
  sendAt: z.string().check(z.regex(new RegExp(sendAt.pattern), 'clock')),
  recipientIds: z.array(z.string()).check(z.minLength(1, 'recipients')),
});
export type PlanFields = z.output<typeof planFields>;

interface Props {
  readonly of: RecordForm<PlanFields>;
  /** People whose names are known already. */
  readonly known: Plan['recipients'];
}

export function PlanInputs({ of, known }: Props) {
  const { t } = useTranslation();
  const names = useNames();
  const { form } = of;
  const { reports = [] } = useQuery(catalogueQuery).data ?? {};
  const named = (name: string) => reports.find((one) => one.name === name);
  const report = named(form.watch('report'));
  const titled = ({ name, title }: Pick<Report, 'name' | 'title'>) => ({ value: name, label: names.of(title) });
  const chooseReport = (name: string) => {
    const chosen = named(name);
    // A subject that nobody has written is that of the report.
    const isOwn = form.getValues('title') !== (report ? names.of(report.title) : '');
    if (chosen && !isOwn) form.setValue('title', names.of(chosen.title), { shouldDirty: true });
    form.setValue('groupBy', chosen?.groupBy ?? '', { shouldDirty: true });
  };
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <Choose
          of={of}
          name="report"
          label={t('reports.mail.fields.report')}
          data={[...(report ? [] : [{ value: '', label: '–' }]), ...reports.map(titled)]}
          onChosen={chooseReport}
        />
        <Choose
          of={of}
          name="groupBy"
          label={t('reports.mail.fields.groupBy')}
          data={report?.groups.map(titled) ?? []}
        />
        <Choose
          of={of}
          name="period"
          label={t('reports.mail.fields.period')}
          data={period.choices.map((value) => ({ value, label: t(`reports.mail.periods.${value}`) }))}
        />
        <Field
          of={of}
          name="sendAt"
          type="time"
          label={t('reports.mail.fields.sendAt')}
          description={t('reports.mail.sendAtHow')}
          required
        />
      </SimpleGrid>
      <Field of={of} name="title" label={t('reports.mail.fields.title')} autoComplete="off" required maw="28rem" />
      <RecipientsInput of={of} known={known} />
    </>
  );
}

interface ChooseProps {
  readonly of: RecordForm<PlanFields>;
  readonly name: 'report' | 'groupBy' | 'period';
  readonly label: string;
  readonly data: readonly ComboboxItem[];
  onChosen?(value: string): void;
}

/** One of some values, which can change while the form is open. */
function Choose({ of, name, label, data, onChosen }: ChooseProps) {
  return (
    <Controller
      control={of.form.control}
      name={name}
      render={({ field, fieldState }) => (
        <NativeSelect
          label={label}
          required
          data={data}
          {...field}
          onChange={(event) => {
            onChosen?.(event.currentTarget.value);
            field.onChange(event);
          }}
          error={problemOf(fieldState.error?.message)}
        />
      )}
    />
  );
}

/** Employees by their names, and those of them whom the module has refused. */
function RecipientsInput({ of: { form }, known }: Props) {
  const { t } = useTranslation();
  const [added, setAdded] = useState<Plan['recipients']>([]);
  const ids = form.watch('recipientIds');
  const problems = form.formState.errors.recipientIds;
  const nameOf = new Map([...known, ...added].map(({ id, name }) => [id, name]));
  const choose = (next: string[]) =>
    form.setValue('recipientIds', next, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  return (
    <Stack gap="xs" maw="28rem">
      <EmployeePicker
        label={t('reports.mail.fields.recipientIds')}
        placeholder={t('reports.mail.search')}
        without={ids}
        error={problemOf(problems?.message)}
        onPick={(employee) => {
          setAdded((before) => [...before, { id: employee.id, name: fullName(employee) }]);
          choose([...ids, employee.id]);
        }}
      />
      <Stack gap={4} component="ul" m={0} p={0} aria-label={t('reports.mail.fields.recipientIds')}>
        {ids.map((id, index) => {
          const name = nameOf.get(id) ?? '…';
          return (
            <Group key={id} component="li" gap="xs" style={{ listStyle: 'none' }}>
              <CloseButton
                size="sm"
                aria-label={t('reports.mail.remove', { name })}
                onClick={() => choose(ids.filter((other) => other !== id))}
              />
              <Text size="sm">
                <bdi>{name}</bdi>
              </Text>
              {problems?.[index] && (
                <Text size="sm" c="red.9" role="alert">
                  {t('reports.mail.notPermitted')}
                </Text>
              )}
            </Group>
          );
        })}
      </Stack>
    </Stack>
  );
}
