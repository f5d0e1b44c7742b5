/** The dialog before something that can't be undone by a click. It says what happens, and its button names it. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';

interface Question {
  /** What happens, such as “Delete the clinic “Eyes”?”. */
  readonly text: string;
  /** What follows from it. */
  readonly detail: string | undefined;
  /** The verb on the button, such as “Delete”. */
  readonly action: string;
  answer(isYes: boolean): void;
}

let question: Question | undefined;
const listeners = new Set<() => void>();

function show(next: Question | undefined): void {
  question = next;
  for (const listener of listeners) listener();
}

/** Asks the person. @returns whether they want it. Another question answers an open one with no. */
export function ask(text: string, action: string, detail?: string): Promise<boolean> {
  question?.answer(false);
  return new Promise((resolve) => {
    show({
      text,
      detail,
      action,
      answer: (isYes) => {
        show(undefined);
        resolve(isYes);
      },
    });
  });
}

/** Shows the question of `ask`. Each entry has one. */
export function AskDialog() {
  const { t } = useTranslation();
  const asked = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => question,
  );
  return (
    <Modal
      opened={asked !== undefined}
      onClose={() => asked?.answer(false)}
      withCloseButton={false}
      // Its style would be refused by the content security policy.
      lockScroll={false}
      centered
      transitionProps={{ duration: 0 }}
      title={asked?.text}
    >
      {asked && (
        <Stack gap="md" pt={4}>
          {asked.detail && <Text size="sm">{asked.detail}</Text>}
          <Group gap="sm">
            <Button color="bad" onClick={() => asked.answer(true)}>
              {asked.action}
            </Button>
            <Button variant="default" data-autofocus onClick={() => asked.answer(false)}>
              {t('form.cancel')}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
