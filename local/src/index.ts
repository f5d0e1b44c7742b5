export * from './layout.ts';
export * from './ports.ts';
export * from './problem.ts';
export * from './report.ts';
export * from './start.ts';
export * from './state.ts';
