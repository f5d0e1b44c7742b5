/** Limits of the fields. Generated. */
export const NewRoleTemplate = {
  name: {"required":true,"longest":63},
  description: {"required":true,"longest":200},
  permissions: {"required":true,"choices":["patients.read","patients.write","patients.delete","patients.merge","patients.import","documents.read","documents.write","documents.delete","families.read","families.write","vip.read","vip.write","visitors.read","visitors.write","visitor-bans.write","visiting-hours.write","employees.read","employees.write","departments.read","departments.write","clinics.read","clinics.write","lab-tests.read","lab-tests.write","lab-orders.read","lab-orders.write","lab-specimens.collect","lab-results.write","lab-results.verify","lab-results.acknowledge","rooms.read","rooms.write","schedules.read","schedules.write","drugs.read","drugs.write","stock.read","stock.write","stock.approve","prescriptions.read","prescriptions.write","prescriptions.override","dispenses.read","dispenses.write","dispenses.override","appointments.read","appointments.write","queue.read","queue.write","queue.follow","displays.read","displays.write","displays.show","roles.read","impersonations.read","audit.read"]},
} as const;
