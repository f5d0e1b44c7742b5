/** Limits of the fields. Generated. */
export const NewReportSchedule = {
  title: {"required":true,"longest":100},
  report: {"required":true,"isFilter":true,"longest":50},
  groupBy: {"required":true,"longest":100},
  period: {"required":true,"choices":["day","week","month"]},
  sendAt: {"required":true,"pattern":"^([01][0-9]|2[0-3]):[0-5][0-9]$"},
  recipientIds: {"required":true},
} as const;
