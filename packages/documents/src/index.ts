export { barcode, qrCode } from './codes.ts';
export { codeOf } from './missing.ts';
export { type DocumentOptions, type Rendered, Renderer, RendererBusy, type RendererOptions } from './renderer.ts';
export type {
  Branding,
  DispenseLabels,
  InvoiceSheet,
  LabReport,
  PatientSummary,
  PersonLabels,
  PrescriptionSheet,
  ReceiptSlip,
  ReportSheet,
  SpecimenLabels,
  Templates,
  VisitorList,
} from './templates.ts';
