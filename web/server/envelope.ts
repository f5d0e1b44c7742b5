import type { Response } from 'express';

/** Answers with the platform's envelope of errors. */
export function refuse(response: Response, status: number, code: string, message: string): void {
  response.status(status).json({ success: false, error: { code, message, timestamp: new Date().toISOString() } });
}
