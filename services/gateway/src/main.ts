import { type Gateway, startGateway } from './gateway.ts';
import { createLog } from './log.ts';
import { readSettings, type Settings } from './settings.ts';

/** Ends the process with one message, because nothing can be served. */
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
    // A second signal, or one during the start, ends the process immediately.
    if (stopping || !gateway) exit(stopping ? 1 : 0);
    stopping = true;
    log.info({ signal }, 'The gateway stops');
    gateway.stop().then(() => exit(0), giveUp);
  });
}
gateway = await startGateway(settings, log).catch(giveUp);

// The reader of this line may stop the process immediately, so everything else is ready by now.
log.info({ ports: gateway.ports }, 'The gateway listens');
