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
    confirm: 'Delete the interaction “{{name}}”?',
  },
  error: {
    code: {
      INTERACTION_EXISTS: 'There is an interaction of these two substances already.',
      SUBSTANCES_ARE_SAME: 'An interaction is of two different substances.',
    },
  },
};
