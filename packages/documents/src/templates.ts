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

/** A wristband of a patient, labels for tubes and folders, or the pass of a visitor. */
export interface PersonLabels {
  readonly form: 'wristband' | 'label';
  /** Pages with the same content. */
  readonly copies: number;
  /** Written below the bars. */
  readonly code: string;
  readonly name: string;
  /** One line, such as the date of birth and the sex. */
  readonly facts: string;
  /** One word in white on black, or empty. */
  readonly warning: string;
  /** SVG texts. */
  readonly barcode: string;
  readonly qrCode: string;
}

/** Labels for the specimens of an order, one page for each. */
export interface SpecimenLabels {
  readonly orderNo: string;
  readonly name: string;
  /** One line, such as the code and the date of birth. */
  readonly facts: string;
  readonly labels: readonly {
    readonly accessionNo: string;
    /** SVG text. */
    readonly barcode: string;
    readonly type: string;
    /** When it was collected, or room to write it. */
    readonly time: string;
    /** One word in white on black, such as that it is urgent, or empty. */
    readonly mark: string;
  }[];
}

/** The results of an order of laboratory tests. */
export interface LabReport {
  readonly orderNo: string;
  readonly name: string;
  readonly title: string;
  /** What nobody may miss, such as that it replaces another report, or empty. */
  readonly notice: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** Names of the four columns. */
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly test: string;
    readonly value: string;
    readonly unit: string;
    readonly range: string;
    /** Letters, or empty. */
    readonly flag: string;
    readonly critical: boolean;
    readonly notes: readonly string[];
  }[];
  /** What the letters mean. */
  readonly legend: string;
  readonly issued: string;
  /** SVG text. */
  readonly barcode: string;
}

/** Drugs that a doctor has prescribed. */
export interface PrescriptionSheet {
  readonly rxNo: string;
  readonly name: string;
  readonly title: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** Names of the five columns. */
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly drug: string;
    readonly dose: string;
    readonly timesPerDay: string;
    readonly duration: string;
    readonly quantity: string;
    /** Such as how to take it. */
    readonly notes: readonly string[];
  }[];
  /** Below the line for the signature. */
  readonly signature: string;
  readonly issued: string;
  /** SVG text. */
  readonly barcode: string;
}

/** Data by the name of the template's file. */
export interface Templates {
  readonly 'lab-report': LabReport;
  readonly 'patient-summary': PatientSummary;
  readonly 'person-labels': PersonLabels;
  readonly prescription: PrescriptionSheet;
  readonly 'specimen-labels': SpecimenLabels;
}
