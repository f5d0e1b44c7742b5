/** Pairs a display that shows a code. The address may have the code, as in the QR code on the display. */
import { Alert, SimpleGrid, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { api, dataOf } from '../../../kit/api/api.ts';
import { Field, FormBody, useRecordForm } from '../../../kit/forms/record-form.tsx';
import { PageHead } from '../../../kit/lists/list-page.tsx';
import { usePerson } from '../../../kit/session/use-session.ts';
import { Clinics, displayFields, usualVoices, Voices } from './display.form.tsx';
import { type Display, displayKeys } from './displays.queries.ts';

const LETTERS = /[\s-]/g;
const newDisplayFields = z.extend(displayFields, {
  code: z.string().check(z.refine((value) => /^[a-z]{8}$/i.test(value.replaceAll(LETTERS, '')), 'displayCode')),
});
type NewDisplayFields = z.output<typeof newDisplayFields>;

export function NewDisplayPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { hospital } = usePerson();
  const scanned = useLocation({ select: ({ hash }) => decodeURIComponent(hash) });
  const form = useRecordForm<NewDisplayFields, Display>({
    schema: newDisplayFields,
    values: { code: scanned, name: '', clinicIds: [], voices: usualVoices(hospital?.language) },
    save: (values, key) =>
      dataOf(api.POST('/api/auth/displays', { params: { header: { 'Idempotency-Key': key } }, body: values })),
    onSaved: ({ id }) => {
      void queries.invalidateQueries({ queryKey: [displayKeys.all] });
      void navigate({ to: '/displays/$id', params: { id } });
    },
  });
  return (
    <Stack gap="md" maw="52rem">
      <PageHead title={t('displays.new')} />
      <Stack className="hms-panel" p="lg">
        <FormBody
          of={form}
          label={t('displays.new')}
          submitLabel={t('displays.pair')}
          onCancel={() => void navigate({ to: '/displays', search: {} })}
        >
          <Alert color="warning" variant="outline" title={t('displays.look')}>
            {t('displays.lookWhy')}
          </Alert>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
            <Field
              of={form}
              name="code"
              label={t('displays.code')}
              description={t('displays.codeHow')}
              placeholder="BCDF-GHJK"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              dir="ltr"
              required
              autoFocus={scanned === ''}
            />
            <Field
              of={form}
              name="name"
              label={t('displays.name')}
              description={t('displays.nameHow')}
              autoComplete="off"
              required
              autoFocus={scanned !== ''}
            />
          </SimpleGrid>
          <Clinics of={form} />
          <Voices of={form} />
        </FormBody>
      </Stack>
    </Stack>
  );
}
