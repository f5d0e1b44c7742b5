/** The HTML that the platform's own pages share. They have no script. */
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from './words/languages.ts';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export interface OwnPage {
  readonly language: Language;
  /** Path and query of the page in another language. */
  readonly inLanguage: (language: Language) => string;
  readonly title: string;
  readonly body: Html;
  /** For the head. */
  readonly styles?: string;
  /** Seconds until the browser loads the page again. */
  readonly refresh?: number | undefined;
}

/** @param shell the built document with placeholders. @param nonce for the styles. */
export async function documentOf(shell: string, nonce: string, page: OwnPage): Promise<string> {
  const { language } = page;
  const words = LANGUAGES[language];
  const others = LANGUAGE_NAMES.filter((name) => name !== language);
  const body = await html`<header>
      <a class="home" href="/?lang=${language}"><img src="__ICON__" width="28" height="28" alt="" /> ${words.title}</a>
      <nav aria-label="${words.languages}">${others.map(
        (name) =>
          html`<a href="${page.inLanguage(name)}" lang="${name}" hreflang="${name}" dir="${LANGUAGES[name].direction}">${LANGUAGES[name].language}</a>`,
      )}</nav>
    </header>
    <main>${page.body}</main>`;
  const head = await html`<title>${page.title}</title>
    <meta name="description" content="${words.description}" />
    ${page.refresh ? html`<meta http-equiv="refresh" content="${page.refresh}" />` : ''}
    ${page.styles ? html`<style nonce="${nonce}">${raw(page.styles)}</style>` : ''}`;
  const icon = /<link rel="icon" href="([^"]+)"/.exec(shell)?.[1] ?? '';
  const filled: Readonly<Record<string, string>> = {
    '<html lang="en" dir="ltr">': `<html lang="${language}" dir="${words.direction}">`,
    __NONCE__: nonce,
    '<!--HEAD-->': String(head),
    '<!--BODY-->': String(body).replace('__ICON__', icon),
  };
  return shell.replace(/<html [^>]*>|__NONCE__|<!--(?:HEAD|BODY)-->/g, (place) => filled[place] ?? place);
}
