export default {
  rooms: {
    new: 'New room',
    search: 'Name or code',
    empty: 'There are no rooms yet.',
    name: 'Name',
    code: 'Code',
    clinicId: 'Clinic',
    location: 'Where people find it',
    confirm: 'Delete the room “{{name}}”?',
  },
  error: {
    code: {
      ROOM_CODE_TAKEN: 'Another room has this code.',
      ROOM_IN_USE: 'Doctors have hours in this room. Choose another room for them first, or end their hours.',
    },
  },
};
