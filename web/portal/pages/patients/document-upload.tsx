/** What files are, before they are uploaded: their kinds and titles. Enter uploads them. */
import { NewDocument } from '@hms/api-client/limits/NewDocument';
import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRun } from '../../../kit/session/login.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import { ErrorPanel } from '../../../kit/ui/error-panel.tsx';
import { PAPER_KINDS } from './document-kinds.ts';
import { type UploadedKind, uploadDocument } from './patient-files.ts';

interface Chosen {
  readonly file: File;
  readonly kind: UploadedKind;
  readonly title: string;
}

interface Props {
  readonly patientId: string;
  readonly files: readonly File[];
  /** One of them was uploaded. */
  onUploaded(): void;
  onClose(): void;
}

export function DocumentUpload({ patientId, files, onUploaded, onClose }: Props) {
  const { t } = useTranslation();
  const { isBusy, error, run } = useRun();
  const [chosen, setChosen] = useState<readonly Chosen[]>(() =>
    files.map((file) => ({ file, kind: 'document', title: titleOf(file) })),
  );
  const change = (of: File, changes: Partial<Chosen>) =>
    setChosen((all) => all.map((one) => (one.file === of ? { ...one, ...changes } : one)));
  const leaveOut = (of: File) => setChosen((all) => all.filter(({ file }) => file !== of));
  const upload = run(async () => {
    for (const { file, kind, title } of chosen) {
      await uploadDocument(patientId, file, { kind, title: title.trim() });
      // If one is refused, the form has those that are left, and the refused one is the first.
      leaveOut(file);
      onUploaded();
    }
    onClose();
  });
  const kinds = PAPER_KINDS.map((value) => ({ value, label: t(`documents.kinds.${value}`) }));
  return (
    <Dialog title={t('documents.chosen')} onClose={() => (isBusy ? undefined : onClose())}>
      <form aria-label={t('documents.chosen')} onSubmit={(event: FormEvent) => void upload(event)}>
        <Stack gap="md">
          <ErrorPanel error={error} />
          {chosen.map(({ file, kind, title }, index) => (
            <Stack key={file.name + file.lastModified} role="group" aria-label={file.name} gap="xs">
              <Group justify="space-between" wrap="nowrap">
                <Text size="sm" fw={600} miw={0} style={{ overflowWrap: 'anywhere' }}>
                  <bdi>{file.name}</bdi>
                </Text>
                {chosen.length > 1 && (
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    disabled={isBusy}
                    aria-label={t('documents.leaveOutOf', { name: file.name })}
                    onClick={() => leaveOut(file)}
                  >
                    {t('documents.leaveOut')}
                  </Button>
                )}
              </Group>
              <NativeSelect
                label={t('documents.kind')}
                data={kinds}
                value={kind}
                data-autofocus={index === 0 ? true : undefined}
                onChange={({ currentTarget }) => change(file, { kind: currentTarget.value as UploadedKind })}
                // As in a text field.
                onKeyDown={(event) => {
                  if (event.key !== 'Enter') return;
                  event.preventDefault();
                  event.currentTarget.form?.requestSubmit();
                }}
              />
              <TextInput
                label={t('documents.title')}
                maxLength={NewDocument.title.longest}
                autoComplete="off"
                value={title}
                onChange={({ currentTarget }) => change(file, { title: currentTarget.value })}
              />
            </Stack>
          ))}
          <Group gap="sm">
            <Button type="submit" loading={isBusy}>
              {t('documents.save')}
            </Button>
            <Button variant="default" disabled={isBusy} onClick={onClose}>
              {t('form.cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** The name of the file without its ending. */
function titleOf({ name }: File): string {
  return [...name.replace(/\.[^.]*$/, '')].slice(0, NewDocument.title.longest).join('').trim();
}
