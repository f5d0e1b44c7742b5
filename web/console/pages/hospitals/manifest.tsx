/** A Hospital object in YAML, to be copied into git. */
import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  readonly text: string;
  /** The prefix, which becomes the name of a file. */
  readonly name: string;
}

export function Manifest({ text, name }: Props) {
  const { t } = useTranslation();
  const [done, setDone] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(t('hospitals.copied'));
    } catch {
      setDone(t('hospitals.notCopied'));
    }
  };
  return (
    <Stack gap="xs">
      <Code
        block
        dir="ltr"
        ta="start"
        tabIndex={0}
        aria-label={`${name}.yaml`}
        mah="24rem"
        style={{ overflow: 'auto' }}
      >
        {text}
      </Code>
      <Group gap="sm">
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconCopy size={14} aria-hidden />}
          onClick={() => void copy()}
        >
          {t('hospitals.copy')}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          component="a"
          href={`data:application/yaml;charset=utf-8,${encodeURIComponent(text)}`}
          download={`${name}.yaml`}
        >
          {t('hospitals.download')}
        </Button>
        <Text size="sm" role="status">
          {done}
        </Text>
      </Group>
    </Stack>
  );
}
