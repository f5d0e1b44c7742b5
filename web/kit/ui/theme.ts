/** The look: the hospital's color, a color for each meaning, and surfaces, in two color schemes. */
import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core';
import { ALARM, DARK, LIGHT, MEANINGS, OWN, type Surfaces, shadesOf } from './colors.ts';

/** @param color of the hospital, as six hexadecimal digits after a #. */
export function themeOf(color: string | null): MantineThemeOverride {
  const { text, dimmed, placeholder, line, soft, raised, surface, page } = DARK;
  return createTheme({
    primaryColor: 'brand',
    primaryShade: { light: 6, dark: 5 },
    colors: {
      brand: tupleOf(color ?? OWN),
      ...Object.fromEntries(Object.entries(MEANINGS).map(([name, meaning]) => [name, tupleOf(meaning)])),
      // Where Mantine's components look for the surfaces of the dark scheme.
      dark: [text, text, dimmed, placeholder, line, soft, raised, surface, page, page],
    },
    fontFamily: 'system-ui, "Segoe UI", Roboto, "Noto Sans", "Noto Sans Arabic", sans-serif',
    headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1.0625rem' } } },
    defaultRadius: 'md',
    cursorType: 'pointer',
    focusRing: 'auto',
    respectReducedMotion: true,
    components: {
      InputWrapper: { defaultProps: { labelProps: { fw: 500 } } },
      Modal: { defaultProps: { transitionProps: { duration: 0 } } },
      Menu: { defaultProps: { transitionProps: { duration: 0 } } },
    },
  });
}

function tupleOf(color: string): MantineColorsTuple {
  return shadesOf(color) as unknown as MantineColorsTuple;
}

/** Mantine's own values of these fail the contrast that WCAG asks for, or there are none. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--hms-alarm': ALARM },
  light: { ...variablesOf(LIGHT), '--hms-tint': 'var(--mantine-color-brand-0)' },
  dark: {
    ...variablesOf(DARK),
    '--mantine-color-brand-light': tint(25),
    '--mantine-color-brand-light-hover': tint(35),
    '--mantine-color-gray-light-hover': DARK.soft,
    '--hms-tint': 'var(--mantine-color-brand-light)',
  },
});

/** @param percent of the hospital's color, the rest of which is the surface. */
function tint(percent: number): string {
  return `color-mix(in srgb, var(--mantine-color-brand-filled) ${percent}%, var(--mantine-color-body))`;
}

function variablesOf(scheme: Surfaces): Record<string, string> {
  return {
    '--mantine-color-text': scheme.text,
    '--mantine-color-dimmed': scheme.dimmed,
    '--mantine-color-placeholder': scheme.placeholder,
    '--mantine-color-default-border': scheme.line,
    '--mantine-color-body': scheme.surface,
    '--mantine-color-error': 'var(--mantine-color-bad-text)',
    '--mantine-color-gray-light-color': scheme.dimmed,
    '--mantine-color-warning-light': scheme.warned,
    '--mantine-color-warning-light-hover': scheme.warnedMore,
    '--hms-page': scheme.page,
    '--hms-soft': scheme.soft,
    '--hms-mark': scheme.mark,
    '--mantine-color-brand-outline': 'var(--mantine-color-brand-text)',
    ...Object.fromEntries(
      Object.keys(MEANINGS).flatMap((name) =>
        ['outline', 'light-color'].map((use) => [
          `--mantine-color-${name}-${use}`,
          `var(--mantine-color-${name}-text)`,
        ]),
      ),
    ),
  };
}
