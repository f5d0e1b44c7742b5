/** Limits of the fields. Generated. */
export const NewDepartment = {
  code: {"required":true,"isFilter":true,"longest":20},
  name: {"required":true,"longest":100},
  location: {"longest":200},
  parentId: {"isFilter":true},
} as const;
