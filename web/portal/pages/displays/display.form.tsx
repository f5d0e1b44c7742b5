/** The fields of a display, for the new one and for the record. */
import { NewDisplay } from '@hms/api-client/limits/NewDisplay';
import { Anchor, Checkbox, Group, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Controller, type FieldValues, type Path } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { textIn } from '../../../kit/forms/limits.ts';
import { problemOf, type RecordForm } from '../../../kit/forms/record-form.tsx';
import { clinicsQuery } from '../clinics/clinics.queries.ts';

const VOICES = NewDisplay.voices.choices;

export const displayFields = z.object({
  name: textIn(NewDisplay.name),
  clinicIds: z.array(z.string()).check(z.minLength(1, 'clinic')),
  voices: z.array(z.enum(VOICES)),
});
export type DisplayFields = z.output<typeof displayFields>;

interface Props<Values extends FieldValues> {
  readonly of: RecordForm<Values>;
}

/** What a new display speaks if nobody chooses. @param language of the hospital, as a BCP 47 tag */
export function usualVoices(language: string | undefined): DisplayFields['voices'] {
  const [primary] = language?.toLowerCase().split('-') ?? [];
  return VOICES.filter((voice) => voice === primary);
}

/** The choice of languages, in the order in which somebody chooses them. */
export function Voices<Values extends DisplayFields>({ of }: Props<Values>) {
  const { t } = useTranslation();
  return (
    <Controller
      control={of.form.control}
      name={'voices' as Path<Values>}
      render={({ field, fieldState }) => (
        <Checkbox.Group
          label={t('displays.voices')}
          description={t('displays.voicesHow')}
          error={problemOf(fieldState.error?.message)}
          value={field.value as string[]}
          onChange={field.onChange}
        >
          <Group gap="lg" mt="xs">
            {VOICES.map((voice) => (
              <Checkbox key={voice} value={voice} label={t(`displays.voiceNames.${voice}`)} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    />
  );
}

/** The choice of clinics. */
export function Clinics<Values extends DisplayFields>({ of }: Props<Values>) {
  const { t } = useTranslation();
  const clinics = useQuery({ ...clinicsQuery(), refetchOnWindowFocus: 'always' });
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
              {t('displays.noClinics')} {/* In a tab of its own, so that this form keeps what was typed. */}
              <Anchor renderRoot={(props) => <Link to="/clinics/new" target="_blank" {...props} />}>
                {t('clinics.new')}
              </Anchor>
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
