/** The lists of the bench: what an order waits for, and those that wait for nothing. */
export const WORK = ['collect', 'result', 'verify', 'acknowledge', 'done'] as const;
export type Work = (typeof WORK)[number];
