import type { EntityCheck, Field, Fields } from './field.ts';

/** A schema as `/schemas/…` shows it, in Kong's terms. Rules that are code are shown by the fields that they are about. */
export function publishSchema(
  fields: Fields,
  checks: readonly EntityCheck[],
): { fields: object[]; entity_checks: object[] } {
  return { fields: publishFields(fields), entity_checks: checks.flatMap(publishCheck) };
}

function publishFields(fields: Fields): object[] {
  return Object.entries(fields).map(([name, field]) => ({ [name]: publishField(field) }));
}

function publishRecord(fields: Fields): object {
  const entries = Object.entries(fields);
  const own = entries.filter(([, { standsFor }]) => standsFor === undefined);
  const others = entries.filter(([, { standsFor }]) => standsFor !== undefined);
  return {
    fields: publishFields(Object.fromEntries(own)),
    ...(others.length > 0 && { shorthand_fields: publishFields(Object.fromEntries(others)) }),
  };
}

function publishField(field: Field): object {
  const shown: Record<string, unknown> = {};
  for (const [attribute, value] of Object.entries(field)) {
    const name = NAMES[attribute];
    if (name !== undefined) shown[name] = value;
  }
  if (field.standsFor !== undefined) shown.translate_backwards = field.standsFor.split('.');
  switch (field.type) {
    case 'array':
    case 'set':
      return { ...shown, elements: publishField(field.elements) };
    case 'map':
      return { ...shown, keys: publishField(field.keys), values: publishField(field.values) };
    case 'record':
      return { ...shown, ...publishRecord(field.fields) };
    case 'foreign':
      return field.never !== undefined ? { ...shown, eq: null } : shown;
    default:
      return shown;
  }
}

function publishCheck(check: EntityCheck): object[] {
  if ('atLeastOneOf' in check) return [{ at_least_one_of: check.atLeastOneOf }];
  if ('onlyOneOf' in check) return [{ only_one_of: check.onlyOneOf }];
  if ('distinct' in check) return [{ distinct: check.distinct }];
  if ('custom' in check) return [];
  return [{ conditional: { if_field: check.ifField, then_field: check.thenField } }];
}

/** Our words and Kong's; what is not here is code or said otherwise. */
const NAMES: Readonly<Record<string, string>> = {
  type: 'type',
  required: 'required',
  auto: 'auto',
  default: 'default',
  oneOf: 'one_of',
  uuid: 'uuid',
  lenMin: 'len_min',
  startsWith: 'starts_with',
  unique: 'unique',
  between: 'between',
  gt: 'gt',
  deprecation: 'deprecation',
  reference: 'reference',
  onDelete: 'on_delete',
};
