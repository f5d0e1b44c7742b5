/** Shells for the tests of completion: those of this machine. Debian's are installed if the user may. */
import { Problem, type Report, sentence } from '@hms/local';
import { aptGet, onPath } from './chromium.ts';

/** @returns the program. @throws Problem with what to install. */
export async function obtainShell(name: 'zsh' | 'fish', report: Report): Promise<string> {
  const advice = `The tests of completion need ${name}: install it (apt-get install ${name}).`;
  if (onPath(name) === undefined && process.getuid?.() === 0 && onPath('apt-get')) {
    await report
      .during(`installing ${name} with apt-get`, async (progress) => {
        for (const args of [['update'], ['install', '-y', name]]) await aptGet(args, progress);
      })
      .catch((error: unknown) => {
        throw new Problem(`${sentence(error)}. ${advice}`);
      });
  }
  const found = onPath(name);
  if (!found) throw new Problem(advice);
  return found;
}
