/** The columns of a file with patients: which field each of them fills. Pure. */

/** The fields that a column may fill, with names that files give it. Each is also known by its own name. */
const NAMES = {
  firstName: ['given name', 'forename', 'first', 'الاسم', 'الاسم الأول', 'nama depan', 'prénom', 'nombre', 'vorname'],
  lastName: ['family name', 'surname', 'last', 'اسم العائلة', 'اللقب', 'nama belakang', 'nom', 'apellidos', 'nachname'],
  phone: [
    'mobile',
    'telephone',
    'tel',
    'phone number',
    'mobile number',
    'cell',
    'الهاتف',
    'رقم الهاتف',
    'الجوال',
    'telepon',
  ],
  dateOfBirth: ['dob', 'birth date', 'birthday', 'birthdate', 'born', 'تاريخ الميلاد', 'tanggal lahir', 'geburtsdatum'],
  email: ['e-mail', 'mail', 'email address', 'البريد الإلكتروني'],
  gender: ['sex', 'الجنس', 'jenis kelamin', 'geschlecht', 'sexe', 'sexo'],
  bloodGroup: ['blood type', 'فصيلة الدم', 'golongan darah'],
  street: ['address', 'address line 1', 'العنوان', 'الشارع', 'alamat'],
  city: ['town', 'المدينة', 'kota'],
  region: ['state', 'province', 'county', 'المنطقة', 'provinsi'],
  postalCode: ['zip', 'zip code', 'postcode', 'الرمز البريدي', 'kode pos', 'plz'],
  country: ['country code', 'البلد', 'negara'],
  allergies: ['allergy', 'الحساسية', 'alergi'],
  alerts: ['alert', 'warnings', 'التنبيهات'],
} as const;

export type ColumnField = keyof typeof NAMES;
export const COLUMN_FIELDS = Object.keys(NAMES) as [ColumnField, ...ColumnField[]];
export const REQUIRED_COLUMNS = ['firstName', 'lastName', 'phone', 'dateOfBirth'] as const;

/** The field that a column with this name probably fills: `First name`, `first_name` and `Forename` are `firstName`. */
export function fieldNamed(written: string): ColumnField | undefined {
  const name = bare(written);
  return COLUMN_FIELDS.find((field) => [field, ...NAMES[field]].some((other) => bare(other) === name));
}

function bare(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\d]/gu, '')
    .toLowerCase();
}
