/** The chime and the voice of a call. Browsers play nothing before somebody has touched the page, unless they are told otherwise. */
import type { Call } from './calls.ts';
import { wordsOf } from './spoken.ts';
import { VOICES, type VoiceName } from './voices.ts';

let context: AudioContext | undefined;
const listeners = new Set<() => void>();

/** Whether a chime would be heard. */
export function canSound(): boolean {
  return audio()?.state === 'running';
}

/** Tells when it changes. @returns ends it. */
export function onSound(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Call it when somebody has pressed a key or a button. */
export async function allowSound(): Promise<void> {
  await audio()
    ?.resume()
    .catch(() => undefined);
}

function audio(): AudioContext | undefined {
  if (context || typeof AudioContext === 'undefined') return context;
  const created = new AudioContext();
  created.addEventListener('statechange', () => {
    // The system takes the sound away for a while, as when a television changes its output.
    if (created.state !== 'running' && created.state !== 'closed') void allowSound();
    for (const listener of listeners) listener();
  });
  context = created;
  return context;
}

/** Rings and says who is called. One voice says it twice. Resolves when it is over. */
export async function announce(call: Pick<Call, 'label' | 'room'>, voices: readonly VoiceName[]): Promise<void> {
  if (!canSound()) return;
  await chime();
  const [first, second = first] = voices;
  for (const voice of first && second ? [first, second] : []) await say(voice, wordsOf(call));
}

/** In Hz and seconds: two falling tones, as in most waiting rooms. */
const TONES = [
  { frequency: 659.25, at: 0, length: 0.5 },
  { frequency: 523.25, at: 0.45, length: 0.9 },
];
const LOUDNESS = 0.5;

async function chime(): Promise<void> {
  const playing = audio();
  if (!playing) return;
  const begin = playing.currentTime;
  for (const { frequency, at, length } of TONES) {
    const [tone, volume] = [playing.createOscillator(), playing.createGain()];
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0, begin + at);
    volume.gain.linearRampToValueAtTime(LOUDNESS, begin + at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + at + length);
    tone.connect(volume).connect(playing.destination);
    tone.start(begin + at);
    tone.stop(begin + at + length);
  }
  const { at = 0, length = 0 } = TONES.at(-1) ?? {};
  await seconds(at + length);
}

/** Between two words, after the word "number" and between two parts, in seconds. */
const PAUSE = 0.07;
const LONG_PAUSE = 0.3;
const decoded = new Map<VoiceName, Promise<AudioBuffer>>();

async function say(name: VoiceName, words: readonly string[]): Promise<void> {
  const playing = audio();
  // Without the network, and without what was kept of an earlier time, the chime has to do.
  const recording = await voiceOf(name).catch(() => undefined);
  if (!playing || !recording) return;
  let at = playing.currentTime + LONG_PAUSE;
  for (const word of words) {
    const [start, length] = VOICES[name].places[word] ?? [];
    if (start === undefined || length === undefined) continue;
    if (word === 'room') at += LONG_PAUSE;
    const source = playing.createBufferSource();
    source.buffer = recording;
    source.connect(playing.destination);
    source.start(at, start, length);
    at += length + PAUSE;
  }
  await seconds(at + LONG_PAUSE - playing.currentTime);
}

/** The recording of a voice, which is read once. */
function voiceOf(name: VoiceName): Promise<AudioBuffer> {
  const reading = decoded.get(name) ?? read(name);
  decoded.set(name, reading);
  reading.catch(() => decoded.delete(name));
  return reading;
}

async function read(name: VoiceName): Promise<AudioBuffer> {
  const response = await fetch(VOICES[name].url);
  if (!response.ok) throw new Error(String(response.status));
  const bytes = await response.arrayBuffer();
  return (audio() as AudioContext).decodeAudioData(bytes);
}

function seconds(length: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, length * 1000));
}
