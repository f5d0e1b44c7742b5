/** The page on which people find their hospital. */
import { html } from 'hono/html';
import { shadesOf } from '../../kit/ui/colors.ts';
import type { Found, Listed } from './directory.ts';
import type { Html, OwnPage } from './document.ts';
import { LANGUAGES, type Language } from './words/languages.ts';
import type { FindProblem } from './words/words.ts';

export interface Finding {
  readonly language: Language;
  /** What somebody searched for. */
  readonly asked: string;
  readonly problem?: FindProblem | undefined;
  /** Of the search, or a page of the list of all hospitals. */
  readonly found?: Found | undefined;
  /** Page of the list, from 1. Undefined for a search. */
  readonly page?: number | undefined;
  /** A television looks for the hospital in which it is. */
  readonly isTelevision: boolean;
}

export function findPage(finding: Finding): OwnPage {
  const { language, asked, problem, found, page, isTelevision } = finding;
  const { title, lead, find, about, status } = LANGUAGES[language];
  const searched = new URLSearchParams({ hospital: asked, ...(isTelevision ? { to: 'tv' } : {}) });
  const inLanguage = (other: Language) =>
    asked
      ? `/find?lang=${other}&${searched}`
      : `${listOf(finding)}?lang=${other}${page && page > 1 ? `&page=${page}` : ''}`;
  const about$ = about.map((section) => html`<section><h2>${section.title}</h2><p>${section.text}</p></section>`);
  return {
    language,
    inLanguage,
    title: asked ? `${asked} – ${find.title}` : title,
    styles: stylesOf(found?.hospitals ?? []),
    body: html`<div class="card">
        <h1>${isTelevision ? find.television : find.title}</h1>
        <p class="lead">${isTelevision ? find.televisionHow : lead}</p>
        <form action="/find" role="search">
          <input type="hidden" name="lang" value="${language}" />
          ${isTelevision ? html`<input type="hidden" name="to" value="tv" />` : ''}
          <label for="hospital">${find.label}</label>
          <div>
            <input id="hospital" name="hospital" type="search" value="${asked}" required maxlength="100" dir="auto"
              autocapitalize="none" spellcheck="false" autocomplete="organization" enterkeyhint="search"
              ${problem ? html`aria-invalid="${problem === 'none' || problem === 'short' ? 'true' : 'false'}" aria-describedby="problem hint"` : html`aria-describedby="hint"`} />
            <button type="submit">${find.button}</button>
          </div>
          <p id="hint">${find.hint}</p>
          ${problem ? html`<p id="problem" role="alert">${find.problem[problem]}</p>` : ''}
        </form>
        ${found && found.hospitals.length > 0 ? hospitalsOf(found, finding) : ''}
      </div>
      <div class="about">${about$}</div>
      <footer><a href="/status?lang=${language}">${status.link}</a></footer>`,
  };
}

/** Where the list of all hospitals is. */
function listOf({ isTelevision }: Finding): string {
  return isTelevision ? '/tv' : '/';
}

function hospitalsOf({ hospitals, more }: Found, finding: Finding): Html {
  const { language, page } = finding;
  const { find } = LANGUAGES[language];
  const list = listOf(finding);
  const to = (other: number, text: string) =>
    html`<a href="${list}?lang=${language}&page=${other}#hospitals">${text}</a>`;
  const pages =
    page &&
    html`<nav class="pages" aria-label="${find.all}">
      ${page > 1 ? to(page - 1, find.previous) : ''} ${more ? to(page + 1, find.next) : ''}
    </nav>`;
  return html`<section id="hospitals" aria-labelledby="hospitals-title">
      <h2 id="hospitals-title">${page ? find.all : find.results}</h2>
      <ul>${hospitals.map((hospital, index) => html`<li>${hospitalOf(hospital, index, finding)}</li>`)}</ul>
      ${page ? pages : more ? html`<p>${find.more}</p>` : ''}
    </section>`;
}

function hospitalOf({ name, portal, logoUrl, suspended }: Listed, index: number, finding: Finding): Html {
  const note = LANGUAGES[finding.language].find.suspended;
  const initial = [...name.replace(/^\P{L}+/u, '')][0]?.toUpperCase() ?? '';
  return html`<a class="hospital look-${index}" href="${portal}${listOf(finding)}">
      <span class="logo" aria-hidden="true">${initial}${logoUrl ? html`<img src="${logoUrl}" alt="" />` : ''}</span>
      <span class="text">
        <bdi class="name">${name}</bdi>
        <span class="address" dir="ltr">${new URL(portal).host}</span>
        ${suspended ? html`<span class="note">${note}</span>` : ''}
      </span>
    </a>`;
}

/** Each hospital's color, darkened where white text could not be read on it. */
function stylesOf(hospitals: readonly Listed[]): string {
  return hospitals
    .flatMap(({ primaryColor }, index) =>
      primaryColor && /^#[0-9a-f]{6}$/i.test(primaryColor)
        ? [`.look-${index}{--color:${shadesOf(primaryColor)[6]}}`]
        : [],
    )
    .join('');
}
