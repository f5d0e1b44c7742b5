/** The chime of a call. Browsers play nothing before somebody has touched the page, unless they are told otherwise. */

let context: AudioContext | undefined;

/** Whether a chime would be heard. */
export function canSound(): boolean {
  context ??= typeof AudioContext === 'undefined' ? undefined : new AudioContext();
  return context?.state === 'running';
}

/** Call it when somebody has pressed a key or a button. */
export async function allowSound(): Promise<void> {
  canSound();
  await context?.resume().catch(() => undefined);
}

/** In Hz and seconds: two falling tones, as in most waiting rooms. */
const TONES = [
  { frequency: 659.25, at: 0, length: 0.5 },
  { frequency: 523.25, at: 0.45, length: 0.9 },
];
const LOUDNESS = 0.5;

/** Resolves when it is over. */
export async function chime(): Promise<void> {
  if (!canSound() || !context) return;
  const begin = context.currentTime;
  for (const { frequency, at, length } of TONES) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0, begin + at);
    volume.gain.linearRampToValueAtTime(LOUDNESS, begin + at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(begin + at);
    tone.stop(begin + at + length);
  }
  const { at = 0, length = 0 } = TONES.at(-1) ?? {};
  await new Promise((resolve) => setTimeout(resolve, (at + length) * 1000));
}
