/** Documents that a background task renders once, and that never change afterwards. */
import type { Renderer, Templates } from '@hms/documents';
import { type Platform, type Task, type TaskName, task, type Work } from '@hms/service';
import type { SignedUrl } from '@hms/storage';
import type { z } from 'zod';
import { type FilePlace, type Stored, storeDraft } from '../issued-files/issued-files.ts';
import { brandingOf, logFlaws, missingCodes } from './rendering.ts';

interface Issuing<Name extends keyof Templates, Input> {
  readonly task: TaskName<Input>;
  readonly template: Name;
  /** What is rendered. Undefined if there is nothing to issue any more. */
  find(work: Work, input: Input): Promise<Rendering<Name> | undefined>;
  /** Issues what was stored, in the transaction that completes the task. */
  issue(work: Work, input: Input, stored: Stored): Promise<void>;
}

interface Rendering<Name extends keyof Templates> {
  readonly file: FilePlace;
  readonly data: Templates[Name];
  /** The same for each attempt, so that they render the same bytes. */
  readonly createdAt: Date;
}

/** A task that renders a document, stores it, and issues it. */
export function issuingTask<Name extends keyof Templates, Input>(
  { storage }: Platform,
  renderer: Renderer,
  { task: { name, input, attempts }, template, find, issue }: Issuing<Name, Input>,
): Task<Input> {
  return task<z.ZodType<Input>, Stored | undefined>({
    ...{ name, input, attempts },
    prepare: async (context, given) => {
      const { hospital, inTransaction } = context;
      const found = await inTransaction((work) => find(work, given));
      if (!found) return undefined;
      const { file, data, createdAt } = found;
      const branding = await brandingOf(storage, hospital);
      const { language } = hospital.settings;
      const rendered = await renderer.render(template, data, { branding, language, createdAt });
      logFlaws(context.log, template, rendered);
      const { pdf, sha256 } = rendered;
      return storeDraft(context, storage, file, { pdf, sha256, missingCharacters: missingCodes(rendered) });
    },
    run: async (work, given, stored) => {
      if (stored) await issue(work, given, stored);
    },
  });
}

/** The reply with a URL, which nobody keeps. */
export function withUrl<File extends SignedUrl>({ expiresAt, ...file }: File) {
  return { data: { ...file, expiresAt: expiresAt.toISOString() }, headers: { 'Cache-Control': 'no-store' } };
}
