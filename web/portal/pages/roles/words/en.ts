export default {
  roles: {
    how: 'What people with each role may do in this hospital.',
    role: 'Role',
    permissions: 'Permissions',
    withheld: 'Withheld',
    may: '{{role}} may',
    templateHow: 'The platform decides what a role can have. Your hospital can withhold some of it.',
    ownerHow: 'Nothing can be withheld from an owner, who must be able to take it back.',
    save: 'Save',
    saved: 'Saved. It holds within seconds, without a new login.',
  },
};
