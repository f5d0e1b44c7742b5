import { declareConstraints, type ErrorKind } from '@hms/service';

export const ROLE_TEMPLATE_NOT_FOUND: ErrorKind = {
  status: 404,
  code: 'ROLE_TEMPLATE_NOT_FOUND',
  message: 'There is no role template with this id',
};
export const ROLE_TEMPLATE_NAME_TAKEN: ErrorKind = {
  status: 409,
  code: 'ROLE_TEMPLATE_NAME_TAKEN',
  message: 'Another role template has this name: choose another one, or change that template',
  field: 'name',
};
export const SYSTEM_TEMPLATE: ErrorKind = {
  status: 409,
  code: 'SYSTEM_TEMPLATE',
  message: 'This is a role of the interface, which nobody can change: create a template of your own instead',
};

declareConstraints({ role_templates_name_key: ROLE_TEMPLATE_NAME_TAKEN });
