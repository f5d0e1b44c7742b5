/** Limits of the fields. Generated. */
export const NewEmployee = {
  firstName: {"required":true,"longest":100},
  lastName: {"required":true,"longest":100},
  email: {"required":true,"isFilter":true,"longest":254},
  phone: {"longest":40},
  departmentId: {"isFilter":true},
  title: {"longest":100},
  licenseNo: {"longest":50},
  roles: {"required":true,"pattern":"^[A-Z][A-Z0-9_]{1,62}$"},
  employedFrom: {},
  employedTo: {},
} as const;
