export * from './database-roles.ts';
export * from './file-rights.ts';
export * from './modules.ts';
export * from './names.ts';
export * from './permissions.ts';
export * from './prefix.ts';
export * from './roles.ts';
export * from './settings.ts';
