/** What each template in `templates/` takes. Everything is text as it is printed: templates compute nothing. */

/** How a hospital's documents look. */
export interface Branding {
  readonly hospital: string;
  /** `#rrggbb`. Default: the platform's. */
  readonly color?: string;
  /** A PNG, JPEG, WebP or SVG file. One that is none of these is left out. */
  readonly logo?: Uint8Array;
}

export interface PatientSummary {
  readonly patientCode: string;
  readonly name: string;
  /** Labels and values, in the order in which they are printed. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly title: string;
  /** Who printed it and when. */
  readonly issued: string;
  /** SVG texts. */
  readonly barcode: string;
  readonly qrCode: string;
}

/** Data by the name of the template's file. */
export interface Templates {
  readonly 'patient-summary': PatientSummary;
}
