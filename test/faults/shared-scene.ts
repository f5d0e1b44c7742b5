/** One scene for all files of a suite. */
import { afterAll, beforeAll } from '@jest/globals';
import { Scene, SETTING_MS } from './scene.ts';

export const SLOW = 240_000;

/** From the start of the first test on. Its operator may be stopped, or have settings of the file before. */
export let scene: Scene;

beforeAll(async () => {
  scene = await Scene.set();
}, SETTING_MS);

afterAll(() => scene?.strike(), SLOW);
