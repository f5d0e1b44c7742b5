/**
 * Each component of Mantine brings its own styles. With Mantine's one file for all of them, the first page would load
 * the styles of some hundred components, most of which no page has.
 *
 * They are in a layer, so that those of `ui.css` win, whenever a page loads more components.
 */
import type { Plugin } from 'vite';

/** What maps the names of a component's classes, beside the component. */
const CLASSES = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/;

export const mantineStyles: Plugin = {
  name: 'mantine-styles',
  transform(code, id) {
    const [, component] = CLASSES.exec(id) ?? [];
    return component
      ? { code: `import '@mantine/core/styles/${component}.layer.css';\n${code}`, map: null }
      : undefined;
  },
};
