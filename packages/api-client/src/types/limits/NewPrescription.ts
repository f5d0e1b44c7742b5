/** Limits of the fields. Generated. */
export const NewPrescription = {
  notes: {"longest":500},
  patientId: {"required":true,"isFilter":true},
  doctorId: {"isFilter":true},
  repeatOfId: {},
  validUntil: {},
  weightKg: {"least":0.2,"most":700},
  weighedOn: {},
  items: {"required":true,"parts":{"drugId":{"required":true},"dose":{"required":true,"most":10000},"timesPerDay":{"required":true,"least":1,"most":24},"durationDays":{"required":true,"least":1,"most":366},"quantity":{"least":1,"most":1000000},"instructions":{"longest":300},"maySubstitute":{"initially":true}}},
  overrides: {"parts":{"finding":{"required":true,"longest":500},"reason":{"required":true,"longest":200}},"initially":[]},
} as const;
