/** The look of a hospital: its colour and its logo, as its people see them. */
import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../../kit/api/api.ts';
import { BusyButton } from '../../../kit/ui/busy-button.tsx';
import { OWN, shadesOf } from '../../../kit/ui/colors.ts';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { hospitalQuery, logoQuery, type ManagedHospital } from './hospitals.queries.ts';

/** In bytes, as the module. */
const LARGEST = 500_000;

export function Look({ hospital }: { readonly hospital: ManagedHospital }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [note, setNote] = useState('');
  const { prefix, theme, version } = hospital;
  const logo = useQuery(logoQuery(prefix, theme.logo));
  const path = { hospital: prefix };
  const run = async (work: () => Promise<ManagedHospital>, done: string) => {
    setBusy(true);
    setError(undefined);
    setNote('');
    try {
      queries.setQueryData(hospitalQuery(prefix).queryKey, await work());
      setNote(done);
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  const upload = (file: File | null) => {
    if (!file) return;
    setError(undefined);
    if (file.size === 0) return setNote(t('hospitals.logoEmpty'));
    if (file.size > LARGEST) return setNote(t('hospitals.logoTooLarge'));
    void run(async () => {
      const content = await base64Of(file);
      return dataOf(api.PUT('/api/console/hospitals/{hospital}/logo', { params: { path }, body: { content } }));
    }, t('hospitals.logoSaved'));
  };
  const remove = () =>
    run(
      () =>
        dataOf(
          api.PUT('/api/console/hospitals/{hospital}', { params: { path }, body: { theme: { logo: null }, version } }),
        ),
      t('hospitals.logoRemoved'),
    );
  return (
    <Stack className="hms-panel" p="lg" gap="md">
      <Text size="sm">{t('hospitals.lookHow')}</Text>
      <Preview name={hospital.name} color={theme.primaryColor} logo={logo.data?.url ?? undefined} />
      <ErrorPanel error={error} />
      <Group gap="sm">
        <FileButton onChange={upload} accept="image/png,image/jpeg,image/webp">
          {(props) => (
            <Button {...props} variant="default" loading={isBusy} leftSection={<IconUpload size={16} aria-hidden />}>
              {t('hospitals.uploadLogo')}
            </Button>
          )}
        </FileButton>
        {theme.logo && (
          <BusyButton variant="default" isBusy={isBusy} onClick={() => void remove()}>
            {t('hospitals.removeLogo')}
          </BusyButton>
        )}
        <Text size="sm" role="status">
          {note}
        </Text>
      </Group>
      <Text size="xs" c="dimmed">
        {t('hospitals.logoHow')}
      </Text>
    </Stack>
  );
}

interface PreviewProps {
  readonly name: string;
  readonly color: string | null;
  readonly logo: string | undefined;
}

/** The head of a login page, with the shade of the colour that its button has. */
function Preview({ name, color, logo }: PreviewProps) {
  const { t } = useTranslation();
  const [shade] = shadesOf(color ?? OWN).slice(BUTTON_SHADE);
  return (
    <Stack gap="xs" p="md" align="center" bg="var(--hms-page)">
      {logo && <img className="hms-logo" src={logo} alt="" />}
      <Text fw={600} size="lg" ta="center" style={{ overflowWrap: 'anywhere' }}>
        <bdi>{name}</bdi>
      </Text>
      <Text c="white" fw={600} size="sm" px="lg" py={6} bg={shade} style={{ borderRadius: 4 }} aria-hidden>
        {t('login.submit')}
      </Text>
    </Stack>
  );
}

/** Of the ten. */
const BUTTON_SHADE = 6;

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
