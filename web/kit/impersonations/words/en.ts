export default {
  acting: {
    whoColumn: 'Who',
    asWhom: 'As whom',
    when: 'When',
    may: 'May',
    state: 'State',
    until: 'Now, until {{time}}',
    ended: 'Ended',
    endedBy: 'ended by {{name}}',
    endOf: 'End now: access of {{name}}',
    reasonField: 'Reason',
    modeRead: 'Read',
    modeWrite: 'Read and write',
  },
};
