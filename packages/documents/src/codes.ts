/** Barcodes and QR codes as SVG, for documents. */
import bwip from 'bwip-js/node';

/** A QR code with the library's default error correction (M), which survives a stain. @param text at most some 2,000 characters */
export function qrCode(text: string): string {
  return bwip.toSVG({ bcid: 'qrcode', text });
}

/** Code 128, which every handheld scanner reads. @param text printable ASCII, such as a patient's code */
export function barcode(text: string): string {
  return bwip.toSVG({ bcid: 'code128', text, height: 10 });
}
