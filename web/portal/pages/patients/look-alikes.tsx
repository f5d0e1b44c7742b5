/** Patients who may be the one whom somebody registers, beside the form while it is filled. */
import { Anchor, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type RefObject, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePhones } from '../../../kit/phones/phones.ts';
import { bornText, listedNameOf } from './identity.ts';
import type { PatientFields } from './patient.fields.ts';
import type { Candidate } from './patients.queries.ts';

interface Props {
  readonly candidates: readonly Candidate[];
  readonly typed: PatientFields;
  readonly reason: string;
  /** Somebody wanted to register without a reason. */
  readonly isDemanded: boolean;
  readonly reasonRef: RefObject<HTMLInputElement | null>;
  onReason(reason: string): void;
}

/** What is the same is marked, so that one sees at a glance what differs. */
export function LookAlikes({ candidates, typed, reason, isDemanded, reasonRef, onReason }: Props) {
  const { t } = useTranslation();
  const phones = usePhones();
  const title = t('patients.alike', { count: candidates.length });
  // Where there is no room beside the form, it is one line at the end of the screen until somebody opens it.
  const [isOpen, setOpen] = useState(() => isDemanded || matchMedia('(min-width: 70rem)').matches);
  useEffect(() => {
    if (isDemanded) setOpen(true);
  }, [isDemanded]);
  const bare = (text: string) => text.replaceAll(/[\s().-]/g, '').toLowerCase();
  const shown = (text: string, same = false) => (same ? <mark>{text}</mark> : text);
  return (
    <section aria-label={title} className="hms-alike">
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <Text role="status" fw={600} size="sm" span>
            {title}
          </Text>
        </summary>
        <Stack gap="xs" mt="xs">
          <Text size="sm">{t('patients.alikeHow')}</Text>
          {candidates.map(({ id, patientCode, phone, dateOfBirth, ...named }) => (
            <Stack key={id} gap={0}>
              <Anchor renderRoot={(props) => <Link to="/patients/$id" params={{ id }} {...props} />} fw={500} size="sm">
                {t('patients.open', { code: patientCode })}
              </Anchor>
              <Text size="sm">
                <bdi>
                  {shown(
                    listedNameOf({ patientCode, ...named }),
                    bare(`${named.lastName}${named.firstName}`) === bare(typed.lastName + typed.firstName),
                  )}
                </bdi>
              </Text>
              <Text size="sm">
                {shown(bornText(t, dateOfBirth), dateOfBirth?.startsWith(typed.dateOfBirth || '-'))}
              </Text>
              {phone !== null && (
                <Text size="sm">
                  <bdi dir="ltr">{shown(phones.show(phone), phone === typed.phone)}</bdi>
                </Text>
              )}
            </Stack>
          ))}
          <TextInput
            ref={reasonRef}
            label={t('patients.otherPerson')}
            description={t('patients.otherPersonHow')}
            maxLength={200}
            autoComplete="off"
            autoFocus={isDemanded}
            value={reason}
            error={isDemanded && reason.trim() === '' ? t('patients.otherPersonDemanded') : undefined}
            onChange={(event) => onReason(event.currentTarget.value)}
          />
        </Stack>
      </details>
    </section>
  );
}
