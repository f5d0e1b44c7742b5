export default {
  import: {
    title: 'Import patients',
    back: 'All patients',
    how: 'Choose a CSV file. It is checked first, and nobody is registered until you start the import. Wrong rows are left out: correct them in the file, and import it again. Patients who are registered already are not registered twice.',
    choose: 'Choose a file',
    template: 'Empty file with all columns',
    status: {
      checked: '{{right}} of {{total}} rows can be imported. Wrong rows: {{wrong}}.',
      running: 'Registered so far: {{imported}} of {{right}}. You can leave this page.',
      completed: 'Registered patients: {{imported}}. Rows left out: {{wrong}} of {{total}}.',
    },
    progress: 'Registered patients',
    start: 'Register patients: {{count}}',
    problems: 'Wrong rows',
    line: 'Line',
    column: 'Column',
    wholeRow: 'whole row',
    value: 'In the file',
    problem: 'What is wrong',
  },
};
