export { barcode, qrCode } from './codes.ts';
export { type DocumentOptions, type Rendered, Renderer, RendererBusy, type RendererOptions } from './renderer.ts';
export type {
  Branding,
  LabReport,
  PatientSummary,
  PersonLabels,
  PrescriptionSheet,
  SpecimenLabels,
  Templates,
} from './templates.ts';
