/** The page at an address of a browser that leads nowhere. */
import { html } from 'hono/html';
import type { OwnPage } from './document.ts';
import { LANGUAGES, type Language } from './words/languages.ts';

/**
 * @param at path of the address. @param isOfNobody no hospital has this host.
 * @param platform where hospitals are found, such as `https://hms.example.org`.
 */
export function lostPage(language: Language, at: string, isOfNobody: boolean, platform: string): OwnPage {
  const { lost, find } = LANGUAGES[language];
  return {
    language,
    // Two slashes would begin with another host.
    inLanguage: (other) => `${at.replace(/^\/+/, '/')}?lang=${other}`,
    title: lost.title,
    body: html`<div class="card">
        <h1>${lost.title}</h1>
        <p class="lead">${isOfNobody ? lost.nobody : lost.text}</p>
        <p><a href="${platform}/?lang=${language}">${find.title}</a></p>
      </div>`,
  };
}
