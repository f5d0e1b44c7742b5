/** What the numbers and the codes of a hospital mean, in all modules. */
import { hospitalSystem } from './codes.ts';

export const systems = {
  patientCode: hospitalSystem('patient-code'),
  employeeCode: hospitalSystem('employee-code'),
  licenseNumber: hospitalSystem('license-number'),
  registrationNumber: hospitalSystem('registration-number'),
  departmentCode: hospitalSystem('department-code'),
  locationCode: hospitalSystem('location-code'),
  labOrderNumber: hospitalSystem('lab-order-number'),
  accessionNumber: hospitalSystem('accession-number'),
  labTest: hospitalSystem('lab-test'),
  prescriptionNumber: hospitalSystem('prescription-number'),
  dispenseNumber: hospitalSystem('dispense-number'),
  drug: hospitalSystem('drug'),
  invoiceNumber: hospitalSystem('invoice-number'),
  receiptNumber: hospitalSystem('receipt-number'),
  appointmentNumber: hospitalSystem('appointment-number'),
};
