import type { EntityCheck, Field, Fields } from './field.ts';

/** A schema as `/schemas/…` publishes it, in Kong's terms. Rules in code appear as the fields that they check. */
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
  const shorthands = entries.filter(([, { standsFor }]) => standsFor !== undefined);
  return {
    fields: publishFields(Object.fromEntries(own)),
    ...(shorthands.length > 0 && { shorthand_fields: publishFields(Object.fromEntries(shorthands)) }),
  };
}

function publishField(field: Field): object {
  const published: Record<string, unknown> = {};
  for (const [attribute, value] of Object.entries(field)) {
    const name = NAMES[attribute];
    if (name !== undefined) published[name] = value;
  }
  if (field.standsFor !== undefined) published.translate_backwards = field.standsFor.split('.');
  switch (field.type) {
    case 'array':
    case 'set':
      return { ...published, elements: publishField(field.elements) };
    case 'map':
      return { ...published, keys: publishField(field.keys), values: publishField(field.values) };
    case 'record':
      return { ...published, ...publishRecord(field.fields) };
    case 'foreign':
      return field.never !== undefined ? { ...published, eq: null } : published;
    default:
      return published;
  }
}

function publishCheck(check: EntityCheck): object[] {
  if ('atLeastOneOf' in check) return [{ at_least_one_of: check.atLeastOneOf }];
  if ('onlyOneOf' in check) return [{ only_one_of: check.onlyOneOf }];
  if ('distinct' in check) return [{ distinct: check.distinct }];
  if ('custom' in check) return [];
  return [{ conditional: { if_field: check.ifField, then_field: check.thenField } }];
}

/** Our property names and Kong's. Other properties are code or are published in another form. */
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
