export * from './errors.ts';
export * from './mailer.ts';
export * from './settings.ts';
export type { MailHospital, TemplateName, TemplateValues } from './templates.ts';
