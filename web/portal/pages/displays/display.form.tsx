/** The fields of a display, for the new one and for the record. */
import { NewDisplay } from '@hms/api-client/limits/NewDisplay';
import { Anchor, Checkbox, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Controller, type FieldValues, type Path } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { textIn } from '../../../kit/forms/limits.ts';
import { problemOf, type RecordForm } from '../../../kit/forms/record-form.tsx';
import { clinicsQuery } from '../clinics/clinics.queries.ts';

export const displayFields = z.object({
  name: textIn(NewDisplay.name),
  clinicIds: z.array(z.string()).check(z.minLength(1, 'clinic')),
});
export type DisplayFields = z.output<typeof displayFields>;

interface Props<Values extends FieldValues> {
  readonly of: RecordForm<Values>;
}

/** The choice of clinics. */
export function Clinics<Values extends DisplayFields>({ of }: Props<Values>) {
  const { t } = useTranslation();
  const clinics = useQuery(clinicsQuery());
  return (
    <Controller
      control={of.form.control}
      name={'clinicIds' as Path<Values>}
      render={({ field, fieldState }) => (
        <Checkbox.Group
          label={t('displays.clinicIds')}
          required
          error={problemOf(fieldState.error?.message)}
          value={field.value as string[]}
          onChange={field.onChange}
        >
          {clinics.data?.length === 0 && (
            <Text size="sm" mt="xs">
              {t('displays.noClinics')}{' '}
              <Anchor renderRoot={(props) => <Link to="/clinics/new" {...props} />}>{t('clinics.new')}</Anchor>
            </Text>
          )}
          <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="xs" mt="xs">
            {clinics.data?.map(({ id, name }) => (
              <Checkbox key={id} value={id} label={<bdi>{name}</bdi>} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      )}
    />
  );
}
