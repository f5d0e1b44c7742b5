/** Drugs of a hospital's pharmacy, and what is known of them. Doses are usual ones for the ages it is for. */

export interface SeededDrug {
  readonly code: string;
  readonly name: string;
  readonly ingredients: readonly string[];
  readonly allergyGroups?: readonly string[];
  readonly form: string;
  readonly strength: string;
  readonly unit: string;
  readonly maxDailyDose: number;
  readonly isControlled?: boolean;
  /** In minor units, of one unit. */
  readonly price: number;
  /** How often it is prescribed. */
  readonly share: number;
  /** In years. Whoever is younger does not get it, nor whoever has the second age. */
  readonly fromAge: number;
  readonly untilAge?: number;
  /** Units each time, times a day, and days. */
  readonly usual: readonly [dose: number, timesPerDay: number, days: number];
  readonly instructions: string;
}

export const DRUGS: readonly SeededDrug[] = [
  tablet('PAR-500', 'Paracetamol', '500 mg', {
    fromAge: 12,
    max: 8,
    price: 4,
    share: 16,
    usual: [2, 3, 5],
    how: 'Against pain, if needed',
  }),
  tablet('IBU-400', 'Ibuprofen', '400 mg', {
    fromAge: 12,
    max: 6,
    price: 9,
    share: 10,
    usual: [1, 3, 5],
    how: 'With food',
    groups: ['NSAID'],
  }),
  tablet('AMX-500', 'Amoxicillin', '500 mg', {
    fromAge: 12,
    max: 6,
    price: 22,
    share: 9,
    usual: [1, 3, 7],
    how: 'Until the package is empty',
    groups: ['Penicillin'],
    form: 'Capsule',
  }),
  {
    ...tablet('AMC-625', 'Amoxicillin and clavulanic acid', '500 mg / 125 mg', {
      fromAge: 12,
      max: 3,
      price: 48,
      share: 5,
      usual: [1, 3, 7],
      how: 'At the start of a meal',
      groups: ['Penicillin'],
    }),
    ingredients: ['Amoxicillin', 'Clavulanic acid'],
  },
  tablet('AZI-500', 'Azithromycin', '500 mg', {
    fromAge: 16,
    max: 1,
    price: 160,
    share: 4,
    usual: [1, 1, 3],
    how: 'At the same time each day',
    groups: ['Macrolide'],
  }),
  tablet('CIP-500', 'Ciprofloxacin', '500 mg', {
    fromAge: 18,
    max: 3,
    price: 70,
    share: 3,
    usual: [1, 2, 7],
    how: 'Without milk',
    groups: ['Quinolone'],
  }),
  {
    ...tablet('COT-960', 'Co-trimoxazole', '800 mg / 160 mg', {
      fromAge: 12,
      max: 4,
      price: 35,
      share: 2,
      usual: [1, 2, 5],
      how: 'With a full glass of water',
      groups: ['Sulfonamide'],
    }),
    ingredients: ['Sulfamethoxazole', 'Trimethoprim'],
  },
  tablet('OMP-20', 'Omeprazole', '20 mg', {
    fromAge: 16,
    max: 4,
    price: 14,
    share: 8,
    usual: [1, 1, 28],
    how: 'Half an hour before breakfast',
    form: 'Capsule',
  }),
  tablet('AML-5', 'Amlodipine', '5 mg', {
    fromAge: 18,
    max: 2,
    price: 8,
    share: 7,
    usual: [1, 1, 28],
    how: 'In the morning',
  }),
  tablet('LIS-10', 'Lisinopril', '10 mg', {
    fromAge: 18,
    max: 4,
    price: 10,
    share: 6,
    usual: [1, 1, 28],
    how: 'In the morning',
    groups: ['ACE inhibitor'],
  }),
  tablet('BIS-5', 'Bisoprolol', '5 mg', {
    fromAge: 18,
    max: 2,
    price: 11,
    share: 5,
    usual: [1, 1, 28],
    how: 'In the morning',
  }),
  tablet('MET-850', 'Metformin', '850 mg', {
    fromAge: 18,
    max: 3,
    price: 7,
    share: 6,
    usual: [1, 2, 28],
    how: 'With meals',
  }),
  tablet('ATV-20', 'Atorvastatin', '20 mg', {
    fromAge: 18,
    max: 4,
    price: 13,
    share: 6,
    usual: [1, 1, 28],
    how: 'In the evening',
  }),
  tablet('SIM-20', 'Simvastatin', '20 mg', {
    fromAge: 18,
    max: 2,
    price: 9,
    share: 2,
    usual: [1, 1, 28],
    how: 'In the evening',
  }),
  tablet('WAR-5', 'Warfarin', '5 mg', {
    fromAge: 18,
    max: 3,
    price: 12,
    share: 2,
    usual: [0.5, 1, 28],
    how: 'At 6 p.m. The dose depends on the INR',
  }),
  tablet('ASP-75', 'Aspirin', '75 mg', {
    fromAge: 18,
    max: 4,
    price: 4,
    share: 5,
    usual: [1, 1, 28],
    how: 'After breakfast',
    groups: ['NSAID', 'Salicylate'],
  }),
  tablet('CLO-75', 'Clopidogrel', '75 mg', {
    fromAge: 18,
    max: 1,
    price: 25,
    share: 2,
    usual: [1, 1, 28],
    how: 'In the morning',
  }),
  tablet('LEV-50', 'Levothyroxine', '50 microgram', {
    fromAge: 18,
    max: 4,
    price: 6,
    share: 4,
    usual: [1, 1, 28],
    how: 'Half an hour before breakfast',
  }),
  tablet('CET-10', 'Cetirizine', '10 mg', {
    fromAge: 12,
    max: 1,
    price: 10,
    share: 5,
    usual: [1, 1, 14],
    how: 'In the evening',
  }),
  tablet('PRE-5', 'Prednisolone', '5 mg', {
    fromAge: 16,
    max: 12,
    price: 9,
    share: 3,
    usual: [4, 1, 5],
    how: 'After breakfast',
  }),
  tablet('TRA-50', 'Tramadol', '50 mg', {
    fromAge: 18,
    max: 8,
    price: 20,
    share: 2,
    usual: [1, 3, 3],
    how: 'Against strong pain. Do not drive',
    form: 'Capsule',
    controlled: true,
  }),
  {
    ...{ code: 'SAL-100', name: 'Salbutamol', ingredients: ['Salbutamol'], form: 'Inhaler', strength: '100 microgram' },
    ...{
      unit: 'inhaler',
      maxDailyDose: 1,
      price: 520,
      share: 3,
      fromAge: 4,
      usual: [1, 1, 1],
      instructions: '2 puffs if you are short of breath',
    },
  },
  {
    ...{ code: 'ORS', name: 'Oral rehydration salts', ingredients: ['Glucose and electrolytes'], form: 'Powder' },
    ...{ strength: '4.1 g', unit: 'sachet', maxDailyDose: 10, price: 35, share: 5, fromAge: 0, usual: [1, 4, 2] },
    instructions: 'Each sachet in 200 mL of water, in small sips',
  },
  suspension('PAR-SUS', 'Paracetamol', '120 mg / 5 mL', {
    ...{ price: 380, share: 16, fromAge: 0 },
    how: 'Against fever and pain, by weight, at most 4 times a day',
  }),
  suspension('IBU-SUS', 'Ibuprofen', '100 mg / 5 mL', {
    ...{ price: 420, share: 9, fromAge: 1, groups: ['NSAID'] },
    how: 'Against fever and pain, by weight, at most 3 times a day, with food',
  }),
  suspension('AMX-SUS', 'Amoxicillin', '250 mg / 5 mL', {
    ...{ price: 690, share: 8, fromAge: 0, groups: ['Penicillin'] },
    how: 'Shake it. 5 mL three times a day for 7 days. Keep it in the fridge',
  }),
  suspension('CET-SUS', 'Cetirizine', '1 mg / mL', {
    ...{ price: 510, share: 4, fromAge: 2 },
    how: '2.5 mL in the evening',
  }),
];

/** A bottle for children. */
function suspension(
  code: string,
  name: string,
  strength: string,
  { how, groups, ...of }: Pick<Tablet, 'price' | 'share' | 'fromAge' | 'how' | 'groups'>,
): SeededDrug {
  return {
    ...{ code, name: `${name} suspension`, strength, form: 'Suspension', unit: 'bottle', ingredients: [name] },
    ...{ ...of, allergyGroups: groups ?? [], maxDailyDose: 1, untilAge: 12, usual: [1, 1, 1], instructions: how },
  };
}

interface Tablet {
  readonly fromAge: number;
  readonly max: number;
  readonly price: number;
  readonly share: number;
  readonly usual: SeededDrug['usual'];
  readonly how: string;
  readonly groups?: readonly string[];
  readonly form?: string;
  readonly controlled?: boolean;
}

function tablet(code: string, name: string, strength: string, of: Tablet): SeededDrug {
  const form = of.form ?? 'Tablet';
  return {
    ...{ code, name, strength, form, unit: form.toLowerCase(), ingredients: [name], allergyGroups: of.groups ?? [] },
    ...{
      maxDailyDose: of.max,
      price: of.price,
      share: of.share,
      fromAge: of.fromAge,
      usual: of.usual,
      instructions: of.how,
    },
    isControlled: of.controlled ?? false,
  };
}

export const INTERACTIONS: readonly (readonly [string, string, 'minor' | 'moderate' | 'severe', string])[] = [
  ['Warfarin', 'Aspirin', 'severe', 'Bleeding. Avoid both together unless a cardiologist wants it'],
  ['Warfarin', 'Ibuprofen', 'severe', 'Bleeding. Give paracetamol instead'],
  ['Warfarin', 'Ciprofloxacin', 'moderate', 'The INR rises. Check it after three days'],
  ['Warfarin', 'Sulfamethoxazole', 'severe', 'The INR rises quickly. Choose another antibiotic'],
  ['Simvastatin', 'Amlodipine', 'moderate', 'Muscle pain. At most 20 mg simvastatin'],
  ['Clopidogrel', 'Omeprazole', 'moderate', 'Clopidogrel works less. Choose another acid blocker'],
  ['Lisinopril', 'Ibuprofen', 'moderate', 'Less effect on the blood pressure, and harm to the kidneys'],
  ['Tramadol', 'Cetirizine', 'minor', 'More drowsiness'],
];
