/** The columns of a file with patients: which field each of them fills. Pure. */

/** The fields that a column may fill, with names that files give it. Each is also known by its own name. */
const NAMES = {
  firstName: [
    ...['given name', 'forename', 'first', 'الاسم', 'الاسم الأول', 'nama depan', 'vorname', 'rufname'],
    ...['prénom', 'nombre', 'nombres', 'nome', 'primeiro nome', 'ad', 'adı', 'adi', 'isim', 'imię', 'имя'],
  ],
  lastName: [
    ...['family name', 'surname', 'last', 'اسم العائلة', 'اللقب', 'nama belakang', 'nachname', 'familienname'],
    ...['nom', 'nom de famille', 'apellido', 'apellidos', 'apelido', 'sobrenome', 'cognome'],
    ...['soyad', 'soyadı', 'soyadi', 'soyisim', 'nazwisko', 'фамилия'],
  ],
  phone: [
    ...['mobile', 'telephone', 'tel', 'phone number', 'mobile number', 'cell', 'الهاتف', 'رقم الهاتف', 'الجوال'],
    ...['telepon', 'telefon', 'telefonnummer', 'handy', 'handynummer', 'mobil', 'mobilnummer', 'téléphone', 'portable'],
    ...['teléfono', 'móvil', 'celular', 'telefone', 'telemóvel', 'telefono', 'cellulare', 'cep telefonu'],
    ...['numer telefonu', 'телефон', 'номер телефона'],
  ],
  dateOfBirth: [
    ...['dob', 'birth date', 'birthday', 'birthdate', 'born', 'تاريخ الميلاد', 'tanggal lahir', 'geburtsdatum'],
    ...['geboren am', 'geboren', 'geburtstag', 'date de naissance', 'fecha de nacimiento', 'data de nascimento'],
    ...['data di nascita', 'doğum tarihi', 'data urodzenia', 'дата рождения'],
  ],
  email: ['e-mail', 'mail', 'email address', 'البريد الإلكتروني', 'correo electrónico'],
  gender: [
    ...['sex', 'الجنس', 'jenis kelamin', 'geschlecht', 'geslacht', 'sexe', 'sexo', 'género', 'sesso', 'cinsiyet'],
    ...['płeć', 'пол', '性别'],
  ],
  bloodGroup: ['blood type', 'فصيلة الدم', 'golongan darah'],
  street: ['address', 'address line 1', 'العنوان', 'الشارع', 'alamat', 'straße', 'strasse', 'adresse', 'dirección'],
  city: ['town', 'المدينة', 'kota', 'ort', 'stadt', 'ville', 'ciudad'],
  region: ['state', 'province', 'county', 'المنطقة', 'provinsi'],
  postalCode: ['zip', 'zip code', 'postcode', 'الرمز البريدي', 'kode pos', 'plz', 'code postal', 'código postal'],
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

/** The fields of all columns. The first column with a name of a field fills it. `Name` beside `Vorname` is the last name. */
export function fieldsOfColumns(header: readonly string[]): readonly (ColumnField | null)[] {
  const named = header.map(fieldNamed);
  const hasLastName = named.includes('lastName') || !named.includes('firstName');
  const all = named.map((field, at) => (!hasLastName && bare(header[at] ?? '') === 'name' ? 'lastName' : field));
  return all.map((field, at) => (field !== undefined && all.indexOf(field) === at ? field : null));
}

function bare(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\d]/gu, '')
    .toLowerCase();
}
