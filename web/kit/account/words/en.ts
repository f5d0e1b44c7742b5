export default {
  account: {
    name: 'Name',
    hospital: 'Hospital',
    zone: 'Time zone',
    roles: 'Roles',
    password: 'Change the password',
    passwordHow: 'Your sessions on other computers end, and you get an email about the change.',
    currentPassword: 'Current password',
    repeated: 'New password again',
    change: 'Change the password',
    changed: 'The password is changed.',
  },
  error: {
    code: { WRONG_PASSWORD: 'The current password is wrong.' },
  },
};
