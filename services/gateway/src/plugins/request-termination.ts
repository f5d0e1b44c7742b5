import { hostname } from 'node:os';
import { headerName } from '../entities/common.ts';
import { exit } from '../proxy/replies.ts';
import { describeRequest } from './echo.ts';
import { definePlugin } from './plugin.ts';

const TEXTS: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  404: 'Not found',
  405: 'Method not allowed',
  500: 'An unexpected error occurred',
  502: 'Bad Gateway',
  503: 'Service unavailable',
};

/** Answers every request itself. It runs last, so other plugins refuse first. */
export const requestTermination = definePlugin({
  name: 'request-termination',
  priority: 2,
  config: {
    type: 'record',
    required: true,
    fields: {
      status_code: { type: 'integer', required: true, default: 503, between: [100, 599] },
      message: { type: 'string' },
      content_type: { type: 'string' },
      body: { type: 'string' },
      echo: { type: 'boolean', required: true, default: false },
      trigger: headerName,
    },
    check: (config: Readonly<Record<string, unknown>>) => {
      const { message, content_type: contentType, body, echo } = config;
      if (message && (contentType || body)) return 'message cannot be used with content_type or body';
      if (contentType && !body) return 'content_type requires a body';
      if (echo && (contentType || body)) return 'echo cannot be used with content_type and body';
      return undefined;
    },
  },
  prepare: (config, { nodeId }) => {
    // 1xx ends no request (RFC 9110, 15.2).
    const status = config.status_code < 200 ? 500 : config.status_code;
    const message = config.message ?? TEXTS[status];
    const trigger = config.trigger?.toLowerCase();
    return {
      access: (exchange) => {
        if (
          trigger !== undefined &&
          exchange.requestHeader(trigger) === undefined &&
          !exchange.queryValues(config.trigger ?? '').length
        ) {
          return undefined;
        }
        if (config.echo) {
          return describeRequest(exchange).then((request) =>
            exit(status, {
              message,
              kong: { node_id: nodeId, worker_pid: process.pid, hostname: hostname() },
              request,
              matched_route: exchange.route,
              matched_service: exchange.service,
            }),
          );
        }
        if (config.body !== null) {
          return {
            status,
            body: config.body,
            contentType: config.content_type ?? 'application/json; charset=utf-8',
          };
        }
        return message === undefined ? { status, body: '' } : exit(status, { message });
      },
    };
  },
});
