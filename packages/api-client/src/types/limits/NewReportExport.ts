/** Limits of the fields. Generated. */
export const NewReportExport = {
  report: {"required":true,"choices":["revenue","collections","refunds","outstanding","shift-variance","census","visits","lab-turnaround","lab-results","doctor-activity","wait-times","no-show","slot-use","visitors","stock-expiry"]},
  from: {"required":true,"isFilter":true},
  to: {"required":true,"isFilter":true},
  measure: {"longest":50},
  filters: {"initially":{}},
  filterNames: {"initially":{}},
  hasBom: {"initially":false},
} as const;
