/** What a role is called. A role of a template that people made has only its own name, such as WARD_CLERK. */
import { wordOf } from '../i18n/i18n.ts';

export function roleName(role: string): string {
  const words = role.toLowerCase().replaceAll('_', ' ');
  return wordOf(`role.${role}`) ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a permission allows, such as "Register and change patients". */
export function permissionText(permission: string): string {
  return wordOf(`permission.${permission}`) ?? permission;
}
