/** Limits of the fields. Generated. */
export const NewPatient = {
  firstName: {"required":true,"isFilter":true,"longest":100},
  lastName: {"required":true,"isFilter":true,"longest":100},
  phone: {"required":true,"isFilter":true,"longest":40},
  email: {"isFilter":true,"longest":254},
  dateOfBirth: {"required":true,"isFilter":true},
  gender: {"choices":["female","male","other","unknown"]},
  bloodGroup: {"choices":["A+","A-","B+","B-","AB+","AB-","O+","O-"]},
  address: {},
  allergies: {},
  alerts: {"longest":200,"initially":[]},
  rejectDuplicates: {},
} as const;
