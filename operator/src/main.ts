import { KubeConfig } from '@kubernetes/client-node';
import { pino } from 'pino';
import { readConfig } from './config.ts';
import { startOperator } from './operator.ts';

const config = (() => {
  try {
    return readConfig(process.env);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
})();

const logger = pino({ level: config.LOG_LEVEL, name: 'operator' });
const kubeConfig = new KubeConfig();
kubeConfig.loadFromDefault();

const onLost = (): never => {
  logger.flush();
  process.exit(1);
};

const operator = await startOperator({ config, kubeConfig, logger, onLost }).catch((error: NodeJS.ErrnoException) => {
  if (error.code === 'EADDRINUSE') logger.fatal(`port ${config.PORT} is in use: set PORT to another one`);
  else logger.fatal({ err: error }, 'the operator could not start');
  process.exit(1);
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    logger.info({ signal }, 'stopping: finishing the work in progress');
    operator.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'did not stop cleanly');
        process.exit(1);
      },
    );
  });
}
