/** The words of a call in each language, spoken: one file for a language, and where each word is in it. */
import arPlaces from './voices/ar.json';
import enPlaces from './voices/en.json';

export type VoiceName = 'en' | 'ar';

/** Where a word begins in the file, and how long it is, in seconds. */
type Places = Readonly<Record<string, readonly number[]>>;

interface Voice {
  readonly url: string;
  readonly places: Places;
}

export const VOICES: Readonly<Record<VoiceName, Voice>> = {
  en: { url: new URL('./voices/en.mp3', import.meta.url).href, places: enPlaces },
  ar: { url: new URL('./voices/ar.mp3', import.meta.url).href, places: arPlaces },
};
