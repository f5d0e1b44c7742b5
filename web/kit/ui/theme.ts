/** The look: the hospital's color, with contrast of at least 4.5 to white, and a plain gray. */
import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core';
import { shadesOf } from './colors.ts';

const OWN = '#0b5c6e';

/** @param color of the hospital, such as #0b7285 */
export function themeOf(color: string | null): MantineThemeOverride {
  return createTheme({
    primaryColor: 'brand',
    primaryShade: 6,
    colors: { brand: shadesOf(color ?? OWN) as unknown as MantineColorsTuple },
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

/** Mantine's own values of these fail the contrast that WCAG asks for. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#4b5663',
    '--mantine-color-placeholder': '#69737e',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-default-border': '#cfd6dd',
    '--mantine-color-text': '#17212b',
    '--mantine-color-red-light-color': '#b3261e',
    '--mantine-color-red-outline': '#b3261e',
    '--mantine-color-gray-light-color': '#3d4753',
  },
  dark: {},
});
