export default {
  csvFile: {
    choose: 'Choose a file',
    empty: 'Empty file with the columns',
    problems: 'What is wrong in the file',
    line: 'Line',
    column: 'Column',
    wholeRow: 'whole row',
    value: 'In the file',
    remark: 'Remark',
  },
};
