/** Limits of the fields. Generated. */
export const NewHospital = {
  prefix: {"required":true,"longest":32,"pattern":"^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$"},
  name: {"required":true,"longest":120},
  hospitalId: {"longest":36},
  theme: {"parts":{"primaryColor":{"longest":7},"logo":{"longest":200},"favicon":{"longest":200}}},
  timezone: {"longest":64},
  currency: {"longest":10},
  owner: {"parts":{"email":{"required":true,"longest":254},"firstName":{"required":true,"longest":100},"lastName":{"required":true,"longest":100}}},
  deletionPolicy: {"choices":["Retain","Delete"]},
  managementPolicy: {"choices":["Full","Observe"]},
  adoption: {"choices":["Never","IfUnowned"]},
  resyncInterval: {"longest":10},
  identity: {"parts":{"secondFactor":{"choices":["None","Email"]},"accessTokenLifespan":{"longest":10},"keyRotationDays":{"least":0,"most":100000000},"roles":{"longest":63}}},
  gateway: {"parts":{"hosts":{"longest":253},"origins":{"longest":300},"rateLimits":{"parts":{"auth":{"parts":{"minute":{"required":true,"least":1,"most":1000000},"hour":{"required":true,"least":1,"most":100000000}}},"hms":{"parts":{"minute":{"required":true,"least":1,"most":1000000},"hour":{"required":true,"least":1,"most":100000000}}},"crm":{"parts":{"minute":{"required":true,"least":1,"most":1000000},"hour":{"required":true,"least":1,"most":100000000}}},"payment":{"parts":{"minute":{"required":true,"least":1,"most":1000000},"hour":{"required":true,"least":1,"most":100000000}}},"queue":{"parts":{"minute":{"required":true,"least":1,"most":1000000},"hour":{"required":true,"least":1,"most":100000000}}},"report":{"parts":{"minute":{"required":true,"least":1,"most":1000000},"hour":{"required":true,"least":1,"most":100000000}}},"console":{"parts":{"minute":{"required":true,"least":1,"most":1000000},"hour":{"required":true,"least":1,"most":100000000}}}}}}},
  database: {"parts":{"connectionLimit":{"least":0,"most":100000000}}},
  settings: {"parts":{"language":{"longest":11},"country":{"longest":2},"address":{"longest":300,"pattern":"^[^\\S\\x1C-\\x1F\\x85]*[^\\s\\x00-\\x1F\\x7F-\\x9F](?:(?:[^\\x00-\\x1F\\x7F-\\x9F]|\\r?\\n)*[^\\s\\x00-\\x1F\\x7F-\\x9F])?[^\\S\\x1C-\\x1F\\x85]*$"},"phone":{"longest":16},"registrationNumber":{"longest":60},"taxNumber":{"longest":60},"patientCodeLetters":{"longest":10},"rejectDuplicates":{},"duplicateThreshold":{"least":0,"most":100000000},"maxVisitorsPerPatient":{"least":0,"most":100000000},"maxVisitorsPerHour":{"least":0,"most":100000000},"requireIdempotencyKey":{},"requireOpenShift":{},"pricesIncludeTax":{},"cashRounding":{"least":0,"most":100000000},"slotMinutes":{"least":0,"most":100000000},"noShowAfterMinutes":{"least":0,"most":100000000},"waitingListOfferMinutes":{"least":0,"most":100000000},"reminderHours":{"least":0,"most":100000000},"queueDisplayName":{"choices":["Token","Initials"]},"serviceDayStart":{"longest":5},"requireSecondVerifier":{},"criticalResultMinutes":{"least":0,"most":100000000},"expiryWarningDays":{"least":0,"most":100000000},"auditRetentionYears":{"least":0,"most":100000000}}},
} as const;
