/** What each template in `templates/` takes. Everything is text as it is printed: templates compute nothing. */

/** How a hospital's documents look. */
export interface Branding {
  readonly hospital: string;
  /** Below its name: the address, how it is reached, and its number at the authorities. */
  readonly contact?: readonly string[];
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

/** Labels for what was dispensed, one for each drug and batch. What does not fit on one goes on another one. */
export interface DispenseLabels {
  readonly dispenseNo: string;
  readonly name: string;
  readonly patientCode: string;
  /** Of the hospital, or empty. */
  readonly phone: string;
  readonly labels: readonly {
    readonly drug: string;
    /** Such as `1 tablet, 3 times a day, for 7 days`. */
    readonly directions: string;
    /** What else the patient has to know, or empty. */
    readonly instructions: string;
    /** Labels and values, such as the number of the batch. */
    readonly facts: readonly (readonly [label: string, value: string])[];
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

/** A line with a sum. */
interface SumRow {
  readonly label: string;
  readonly value: string;
  /** Whether it is what the paper is about. */
  readonly strong: boolean;
}

/** What somebody has to pay, and for what. */
export interface InvoiceSheet {
  readonly invoiceNo: string;
  /** Who pays. */
  readonly name: string;
  readonly title: string;
  /** Of the hospital, beside its address: its tax number. */
  readonly seller: readonly string[];
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** Names of the columns: the description first, the amount last. */
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly description: string;
    /** Such as a discount of this line. */
    readonly notes: readonly string[];
    /** All columns but the first. */
    readonly cells: readonly string[];
  }[];
  readonly sums: readonly SumRow[];
  readonly notes: string;
  /** Below the line of the foot. */
  readonly issued: string;
  /** What the QR code is for, and its address. */
  readonly verify: readonly [label: string, url: string];
  /** SVG texts. */
  readonly barcode: string;
  readonly qrCode: string;
}

/** What was paid, on a roll. */
export interface ReceiptSlip {
  readonly receiptNo: string;
  readonly title: string;
  /** Such as `COPY 1`, with when and by whom. Empty: the original. */
  readonly copy: string;
  /** Of the hospital, such as its address and its tax number. */
  readonly seller: readonly string[];
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly sums: readonly SumRow[];
  readonly verify: readonly [label: string, url: string];
  /** SVG text. */
  readonly qrCode: string;
}

/** Who visits patients now, to be ticked by hand in an evacuation. */
export interface VisitorList {
  readonly title: string;
  readonly count: string;
  /** Names of the three columns: the visitor, where they are, and since when. */
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly visitor: string;
    /** Such as the number of the pass and the phone. */
    readonly notes: readonly string[];
    /** Or empty. */
    readonly place: string;
    readonly patient: string;
    readonly since: string;
  }[];
  readonly issued: string;
}

/** Figures of a hospital, with a chart. */
export interface ReportSheet {
  readonly title: string;
  /** What is counted, in a sentence. */
  readonly about: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** The most important figures. */
  readonly figures: readonly {
    readonly label: string;
    readonly value: string;
    /** Since the period before, or empty. */
    readonly change: string;
  }[];
  /** Without rows: no chart. */
  readonly chart: {
    readonly form: 'bars' | 'columns';
    /** What is drawn. */
    readonly caption: string;
    readonly rows: readonly {
      readonly label: string;
      readonly value: string;
      /** From 0 to 1, of the largest value. */
      readonly part: number;
      /** The same of the period before. */
      readonly before: number | null;
    }[];
  };
  /** Names of the columns. */
  readonly columns: readonly string[];
  /** All cells of each row. */
  readonly rows: readonly (readonly string[])[];
  /** All cells of the last line. */
  readonly total: readonly string[];
  readonly issued: string;
}

/** Data by the name of the template's file. */
export interface Templates {
  readonly 'dispense-labels': DispenseLabels;
  readonly invoice: InvoiceSheet;
  readonly 'lab-report': LabReport;
  readonly 'patient-summary': PatientSummary;
  readonly 'person-labels': PersonLabels;
  readonly prescription: PrescriptionSheet;
  readonly receipt: ReceiptSlip;
  readonly report: ReportSheet;
  readonly 'specimen-labels': SpecimenLabels;
  readonly 'visitor-list': VisitorList;
}
