export default {
  today: {
    title: 'Today, {{day}}',
    calendar: 'Calendar',
    list: 'Appointments of today',
    none: 'Nobody has an appointment with you today.',
    noEmployee: 'Your account belongs to no employee, so there are no appointments with you.',
    expected_one: '{{count}} appointment',
    expected_other: '{{count}} appointments',
    here: 'Here now: {{count}}',
    seen: 'Seen: {{count}}',
    prescribe: 'Prescribe',
    prescribeFor: 'Prescribe for {{name}}',
    order: 'Order tests',
    orderFor: 'Order tests for {{name}}',
  },
};
