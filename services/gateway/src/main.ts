import { type Gateway, startGateway } from './gateway.ts';
import { createLog } from './log.ts';
import { readSettings, type Settings } from './settings.ts';

/** Ends the process with one sentence, as nothing can be served. */
function giveUp(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

function settingsOrEnd(): Settings {
  try {
    return readSettings(process.env);
  } catch (error) {
    return giveUp(error);
  }
}

const settings = settingsOrEnd();
const { log, flush } = createLog(settings.logLevel);
/** Ends the process with what was logged last. */
function exit(code: number): never {
  flush();
  process.exit(code);
}

let gateway: Gateway | undefined;
let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    // The second signal is impatience, and there is nothing to end yet while it starts.
    if (stopping || !gateway) exit(stopping ? 1 : 0);
    stopping = true;
    log.info({ signal }, 'The gateway stops');
    gateway.stop().then(() => exit(0), giveUp);
  });
}
gateway = await startGateway(settings, log).catch(giveUp);

// Whoever reads this line may stop the process at once, so everything else is in place by now.
log.info({ ports: gateway.ports }, 'The gateway listens');
