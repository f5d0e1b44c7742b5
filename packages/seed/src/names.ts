/** Names, addresses and telephone numbers of several countries, each in its own script. */
import type { Faker } from '@faker-js/faker';
import { faker as fakerAR } from '@faker-js/faker/locale/ar';
import { faker as fakerEN_GB } from '@faker-js/faker/locale/en_GB';
import { faker as fakerES } from '@faker-js/faker/locale/es';
import { faker as fakerHE } from '@faker-js/faker/locale/he';
import { faker as fakerID_ID } from '@faker-js/faker/locale/id_ID';
import { faker as fakerNE } from '@faker-js/faker/locale/ne';
import { faker as fakerRU } from '@faker-js/faker/locale/ru';
import { faker as fakerTH } from '@faker-js/faker/locale/th';
import { faker as fakerTR } from '@faker-js/faker/locale/tr';
import { faker as fakerUR } from '@faker-js/faker/locale/ur';
import { faker as fakerVI } from '@faker-js/faker/locale/vi';
import { faker as fakerZH_CN } from '@faker-js/faker/locale/zh_CN';
import type { Random } from './random.ts';
import { spelt } from './spellings.ts';

export type Sex = 'female' | 'male';

export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly dateOfBirth: string;
  readonly phone: string;
  readonly sex: Sex;
  /** Where the phone and the names are from: ISO 3166-1. */
  readonly country: string;
}

export interface Country {
  /** ISO 3166-1. */
  readonly code: string;
  /** Of how many people in a hundred. */
  readonly share: number;
  readonly faker: Faker;
  /** Mobile numbers: the prefix, and how many digits follow it. */
  readonly mobile: readonly [prefix: string, digits: number];
  /** First names that faker has too few of, and what it makes up. */
  readonly more?: Partial<Readonly<Record<Sex | 'last' | 'city' | 'street', readonly string[]>>>;
}

const COUNTRIES: readonly Country[] = [
  {
    ...{ code: 'IE', share: 34, faker: fakerEN_GB, mobile: ['+35385', 7] },
    more: {
      female: `Aoife Niamh Ciara Sinéad Orla Róisín Gráinne Maeve Emma Sarah Kate Grace Ruth Alice Hannah Laura Rachel
        Claire Louise Helen Margaret Bridget Eileen Nora Julia Anna Sophie Emily Chloe Lucy`.split(/\s+/),
      male: `Seán Conor Cian Oisín Pádraig Eoin Liam Declan Fergal Brendan Colm Niall Rory James John Thomas Patrick
        Michael David Daniel Mark Paul Peter Stephen Andrew Jack Harry Luke Adam Noah`.split(/\s+/),
      last: `Murphy Kelly Byrne Ryan O'Brien Walsh O'Sullivan O'Connor Doyle McCarthy Gallagher Doherty Kennedy Lynch Murray
        Quinn Moore McLoughlin Carroll Connolly Daly O'Connell Wilson Dunne Brennan Burke Collins Campbell Clarke Johnston
        Hughes O'Farrell Fitzgerald Brown Martin Maguire Nolan Flynn Thompson O'Callaghan O'Donnell Duffy O'Mahony Boyle
        Healy O'Shea White Sweeney Hayes Kavanagh Power McGrath Moran Brady Stewart Casey Foley Fitzpatrick O'Leary
        McDonnell MacMahon Donnelly Regan Donovan Burns Flanagan Mullan Barry Kane Robinson Cunningham Griffin Kenny
        Sheehan Ward Whelan Lyons Reid Graham Higgins Cullen Keane King Maher McKenna Bell Scott Hogan O'Keeffe Magee
        McNamara McDonald Buckley Kerr O'Rourke Kinsella Tobin Smith Evans Hall Wood Walker`.split(/\s+/),
      city: [
        'Dublin',
        'Cork',
        'Galway',
        'Limerick',
        'Waterford',
        'Drogheda',
        'Dundalk',
        'Swords',
        'Bray',
        'Navan',
        'Ennis',
      ],
      street: [
        'Main Street',
        'Church Road',
        'Station Road',
        'Mill Lane',
        'Castle Street',
        'Harbour View',
        'The Crescent',
      ],
    },
  },
  { code: 'ES', share: 10, faker: fakerES, mobile: ['+3461', 7] },
  { code: 'TR', share: 8, faker: fakerTR, mobile: ['+90532', 7] },
  { code: 'ID', share: 7, faker: fakerID_ID, mobile: ['+62812', 8] },
  {
    ...{ code: 'SA', share: 12, faker: fakerAR, mobile: ['+96650', 7] },
    more: {
      female: 'فاطمة مريم عائشة زينب ليلى هدى خديجة أسماء سارة نورة منى سلمى رانيا دعاء إيمان هند لمياء سعاد'.split(
        ' ',
      ),
    },
  },
  { code: 'RU', share: 7, faker: fakerRU, mobile: ['+7916', 7] },
  {
    ...{ code: 'NP', share: 6, faker: fakerNE, mobile: ['+97798', 8] },
    more: {
      female: 'अनुष्का प्रिया सीता गीता राधा नेहा कमला शान्ति पूजा रोशनी'.split(' '),
      male: 'राम मोहन अमित विजय राहुल सुरेश हरि गोपाल दीपक किरण'.split(' '),
    },
  },
  { code: 'TH', share: 5, faker: fakerTH, mobile: ['+6681', 7] },
  { code: 'VN', share: 4, faker: fakerVI, mobile: ['+8491', 7] },
  { code: 'CN', share: 3, faker: fakerZH_CN, mobile: ['+86138', 8] },
  {
    ...{ code: 'PK', share: 2, faker: fakerUR, mobile: ['+92300', 7] },
    more: { male: 'احمد علی عمر یوسف حسن بلال عثمان فیصل'.split(' ') },
  },
  { code: 'IL', share: 2, faker: fakerHE, mobile: ['+97252', 7] },
];

/** People with one of the names whose spellings are known. */
const SPELT = 0.6;

export function someCountry(random: Random): Country {
  return random.byShare(COUNTRIES, ({ share }) => share);
}

export function countryOf(code: string): Country {
  const found = COUNTRIES.find((country) => country.code === code);
  if (!found) throw new Error(`there is no country ${code}`);
  return found;
}

/** @param isLatin whether to write it in Latin letters, for a country that has others. */
export function firstName({ code, faker, more }: Country, sex: Sex, random: Random, isLatin = false): string {
  const known = spelt(code, sex, isLatin);
  if (isLatin || (known.length > 0 && random.chance(SPELT))) return random.oneOf(known);
  const own = more?.[sex] ?? [];
  // Where faker has names of its own, some people have these.
  if (own.length > 0 && random.chance(0.7)) return random.oneOf(own);
  return clean(seeded(faker, random).person.firstName(sex));
}

/** @param isLatin whether to write it in Latin letters, for a country that has others. */
export function lastName({ code, faker, more }: Country, sex: Sex, random: Random, isLatin = false): string {
  const known = spelt(code, sex === 'female' ? 'lastOfWomen' : 'last', isLatin);
  if (isLatin || (known.length > 0 && random.chance(SPELT))) return random.oneOf(known);
  return more?.last ? random.oneOf(more.last) : clean(seeded(faker, random).person.lastName(sex));
}

/** A family's name as somebody of it has it: Чернов and Чернова, Zhukov and Zhukova. */
export function familyName(country: string, name: string, sex: Sex): string {
  if (country !== 'RU') return name;
  if (sex === 'male') return name.replace(/(?<=(ов|ев|ёв|ин|ын|ov|ev|in|ow))[аa]$/u, '').replace(/ская$/u, 'ский');
  return name
    .replace(/(?<=ск)ий$/u, 'ая')
    .replace(/(ов|ев|ёв|ин|ын)$/u, '$1а')
    .replace(/(ov|ev|in|ow)$/, '$1a');
}

export function phone({ mobile: [prefix, digits] }: Country, random: Random): string {
  return prefix + String(random.below(10 ** digits)).padStart(digits, '0');
}

export function address({ faker, code, more }: Country, random: Random) {
  const { location } = seeded(faker, random);
  const number = random.between(1, 140);
  return {
    street: more?.street ? `${number} ${random.oneOf(more.street)}` : clean(location.streetAddress()),
    city: more?.city ? random.oneOf(more.city) : clean(location.city()),
    ...(more?.city ? {} : { postalCode: clean(location.zipCode()) }),
    country: code,
  };
}

/** Some names of places have hidden marks of their direction. */
function clean(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function seeded(faker: Faker, random: Random): Faker {
  faker.seed(random.below(2 ** 31));
  return faker;
}
