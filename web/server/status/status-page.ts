/** The page that says which parts of the platform work. */
import { html } from 'hono/html';
import type { OwnPage } from '../landing/document.ts';
import { LANGUAGES, type Language } from '../landing/words/languages.ts';
import type { Status } from './checks.ts';

const REFRESH_SECONDS = 30;

/** @param isRepeated whether the browser loads the page again and again, which the reader has chosen. */
export function statusPage({ checkedAt, works, parts }: Status, language: Language, isRepeated: boolean): OwnPage {
  const { status: words } = LANGUAGES[language];
  const address = (other: Language, repeated: boolean) => `/status?lang=${other}${repeated ? '&repeat=on' : ''}`;
  const time = `${checkedAt.slice(0, 10)} ${checkedAt.slice(11, 19)} UTC`;
  const [before, after] = words.checked.split('{time}');
  return {
    language,
    inLanguage: (other) => address(other, isRepeated),
    title: `${works ? words.allWork : words.someFail} – ${words.title}`,
    refresh: isRepeated ? REFRESH_SECONDS : undefined,
    body: html`<div class="card">
        <h1>${words.title}</h1>
        <p class="sum ${works ? 'works' : 'fails'}" role="status">${works ? words.allWork : words.someFail}</p>
        <dl>${parts.map(
          (part) =>
            html`<div><dt>${words.parts[part.name]}</dt><dd class="${part.works ? 'works' : 'fails'}">${part.works ? words.works : words.fails}</dd></div>`,
        )}</dl>
        <p class="checked">${before}<time datetime="${checkedAt}" dir="ltr">${time}</time>${after}</p>
        <p class="links">
          <a href="${address(language, isRepeated)}">${words.again}</a>
          <a href="${address(language, !isRepeated)}">${isRepeated ? words.stop : words.repeat}</a>
        </p>
      </div>
      <footer><a href="/?lang=${language}">${words.back}</a></footer>`,
  };
}
