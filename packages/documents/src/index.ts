export { barcode, qrCode } from './codes.ts';
export { type DocumentOptions, type Rendered, Renderer, type RendererOptions } from './renderer.ts';
export type { Branding, PatientSummary, Templates } from './templates.ts';
