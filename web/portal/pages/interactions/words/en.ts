export default {
  interactions: {
    new: 'New interaction',
    search: 'Search by substance',
    empty: 'There are no interactions yet.',
    substanceA: 'Substance',
    substanceB: 'Other substance',
    severity: 'Severity',
    severityChoices: { minor: 'Minor', moderate: 'Moderate', severe: 'Severe' },
    effect: 'What may happen, and what to do',
    import: 'Import from a file',
    all: 'All interactions',
    importHow:
      'Choose a CSV file with the columns substance, other substance, severity (minor, moderate or severe) and effect. The page first says what would happen with each row. Pairs that exist stay as they are, and the page names where the file differs. A file can be sent again.',
    importWould:
      'Rows: {{total}}. To be imported: {{imported}}, existing: {{existing}}, wrong: {{wrong}}. Nothing is stored yet.',
    importDone: 'Rows: {{total}}. Imported: {{imported}}, existing: {{existing}}, wrong: {{wrong}}.',
    importRows_one: 'Import one interaction',
    importRows_other: 'Import {{count}} interactions',
    differences: 'Existing pairs that differ, and are not changed',
    confirm: 'Delete the interaction “{{name}}”?',
  },
  error: {
    code: {
      INTERACTION_EXISTS: 'There is an interaction of these two substances already.',
      SUBSTANCES_ARE_SAME: 'An interaction is of two different substances.',
    },
  },
};
