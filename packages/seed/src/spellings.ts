/** Names that people write in several ways: in the script of their country, and as different offices transcribe them. */

/** First the name in its own script, then in Latin letters. Where the script is Latin, all of them are in use. */
type Spellings = readonly string[];

export type NameKind = 'female' | 'male' | 'last' | 'lastOfWomen';

type Names = Readonly<Record<NameKind, readonly Spellings[]>>;

/** By country. Names of one language are also found in another country. */
const NAMES: Readonly<Record<string, Names>> = {
  SA: names(
    `فاطمة Fatima Fatma Fatimah|عائشة Aisha Ayesha Aicha|مريم Maryam Mariam Meryem|زينب Zainab Zeinab Zaynab
    خديجة Khadija Khadijah  Khadidja|ليلى Layla Leila Laila|سارة Sarah Sara|نورة Noura Nora Nourah|هدى Huda Houda
    أسماء Asma Asmaa|إيمان Iman Eman|ياسمين Yasmin Yasmeen Jasmin|سلمى Salma Selma|رانيا Rania Raniya`,
    `محمد Mohammed Muhammad Mohamed Mohammad|أحمد Ahmed Ahmad|علي Ali Aly|يوسف Yusuf Youssef Yousef|حسين Hussein Husain Hossein
    حسن Hassan Hasan|عمر Omar Umar|خالد Khalid Khaled|إبراهيم Ibrahim Ebrahim|مصطفى Mustafa Mostafa Moustafa
    سعيد Said Saeed Sayeed|طارق Tariq Tarek|محمود Mahmoud Mahmud|فيصل Faisal Faysal|جمال Jamal Gamal|عثمان Othman Uthman Osman`,
    `القحطاني Al-Qahtani Alqahtani Kahtani|الحربي Al-Harbi Alharbi|الغامدي Al-Ghamdi Alghamdi Gamdi|العتيبي Al-Otaibi Alotaibi Outaibi
    الشمري Al-Shammari Alshamari Shammary|الدوسري Al-Dosari Aldossary Dosari|الزهراني Al-Zahrani Alzahrani
    حداد Haddad Hadad|نجار Najjar Naggar|خوري Khoury Khouri Khuri|منصور Mansour Mansoor|شريف Sharif Sherif Cherif
    المصري Al-Masri Elmasry|صالح Saleh Salih|ناصر Nasser Nasir|عباس Abbas Abas`,
  ),
  RU: names(
    `Екатерина Ekaterina Katharina Yekaterina|Юлия Yulia Julia Iuliia|Наталья Natalia Natalya|Евгения Evgenia Yevgeniya Eugenia
    Ксения Ksenia Xenia|Софья Sofya Sofia Sophia|Татьяна Tatiana Tatyana|Анастасия Anastasia Anastasiya|Елена Elena Yelena Helena
    Дарья Daria Darya|Мария Maria Mariya|Ольга Olga Olha`,
    `Дмитрий Dmitry Dmitri Dmitriy Dimitri|Сергей Sergey Sergei|Алексей Alexey Aleksei Alexei|Юрий Yuri Yury Iurii
    Михаил Mikhail Michail|Евгений Evgeny Yevgeny Eugene|Александр Alexander Aleksandr|Николай Nikolai Nikolay
    Андрей Andrey Andrei|Василий Vasily Vasili Wassili|Фёдор Fyodor Fedor|Илья Ilya Ilia`,
    `Щербаков Shcherbakov Scherbakov Schtscherbakow|Чернышёв Chernyshev Chernyshov Tschernyschow|Жуков Zhukov Jukov Schukow
    Соловьёв Solovyov Soloviev|Яковлев Yakovlev Iakovlev Jakowlew|Юдин Yudin Iudin|Зайцев Zaitsev Zaytsev|Хрущёв Khrushchev Chruschtschow
    Шишкин Shishkin Schischkin|Цветков Tsvetkov Zwetkow|Кузнецов Kuznetsov Kusnezow|Воробьёв Vorobyov Vorobiev|Журавлёв Zhuravlev Juravlev
    Пушкарёв Pushkarev Puschkarjow`,
    (name) => name + (inLatin(name) ? 'a' : 'а'),
  ),
  CN: names(
    `小红 Xiaohong Siuhung|美玲 Meiling Meeling|秀英 Xiuying Sauying|丽华 Lihua Laiwah|雪梅 Xuemei Suetmui|文静 Wenjing Manching
    淑芬 Shufen Sukfan|玉兰 Yulan Yuklan|佳慧 Jiahui Kawai`,
    `小明 Xiaoming Siuming|志强 Zhiqiang Chikeung|建国 Jianguo Kinkwok|伟 Wei Wai|文杰 Wenjie Mankit|家豪 Jiahao Kaho
    国华 Guohua Kwokwah|大伟 Dawei Taiwai|永健 Yongjian Wingkin`,
    `王 Wang Wong|陈 Chen Chan|李 Li Lee|张 Zhang Cheung Chang|黄 Huang Hwang|林 Lin Lam|刘 Liu Lau|吴 Wu Ng
    周 Zhou Chow Chou|郑 Zheng Cheng|谢 Xie Tse Hsieh|徐 Xu Hsu Tsui|杨 Yang Yeung|何 He Ho`,
  ),
  IL: names(
    `רבקה Rivka Rebecca Rivkah|שרה Sarah Sara|חנה Hannah Chana Hana|יעל Yael Jael|רחל Rachel Rahel|מרים Miriam Miryam
    אסתר Esther Ester|תמר Tamar Tamara|נועה Noa Noah`,
    `יצחק Yitzhak Itzhak Isaac|יעקב Yaakov Jacob Yakov|משה Moshe Moses|חיים Chaim Haim Hayim|יוסף Yosef Joseph Yossef|דוד David Dawid
    אברהם Avraham Abraham|שלמה Shlomo Solomon|צבי Zvi Tzvi`,
    `לוי Levi Levy|כהן Cohen Kohen|מזרחי Mizrahi Mizrachi|פרץ Peretz Perez|ביטון Biton Bitton|אזולאי Azoulay Azulai|כץ Katz Kats
    שפירא Shapira Schapira|יצחקי Itzhaki Yitzhaki|חדד Hadad Haddad|גולדברג Goldberg Goldberck|וייס Weiss Weis`,
  ),
  NP: names(
    `सीता Sita Seeta|गीता Gita Geeta|प्रिया Priya Pria|पूजा Puja Pooja|शान्ति Shanti Santi|लक्ष्मी Laxmi Lakshmi|सुनीता Sunita Suneeta
    अनुष्का Anushka Anuska`,
    `राहुल Rahul Raahul|दीपक Dipak Deepak|विजय Vijay Bijay|सुरेश Suresh Sures|प्रकाश Prakash Prakas|राजेश Rajesh Rajes
    कृष्ण Krishna Krisna|रमेश Ramesh Rames`,
    `श्रेष्ठ Shrestha Srestha|थापा Thapa Thaapa|गुरुङ Gurung Gurong|तामाङ Tamang Taamang|शर्मा Sharma Sarma|अधिकारी Adhikari Adikari
    पौडेल Poudel Paudel Paudyal|खड्का Khadka Khadga|भट्टराई Bhattarai Bhattrai|ढकाल Dhakal Dakal`,
  ),
  PK: names(
    `فاطمہ Fatima Fatimah|عائشہ Ayesha Aisha|زینب Zainab Zaynab|مریم Maryam Mariam|نادیہ Nadia Nadiya|ثناء Sana Sanaa`,
    `احمد Ahmed Ahmad|محمد Muhammad Mohammed Mohammad|علی Ali Aly|حسین Hussain Husain|بلال Bilal Bilaal|عثمان Usman Osman
    یوسف Yousuf Yusuf Youssef`,
    `خان Khan Kahn|قریشی Qureshi Quraishi Koreshi|چوہدری Chaudhry Choudhary Chowdhury|ملک Malik Malick|شیخ Sheikh Shaikh
    صدیقی Siddiqui Siddiqi|بھٹی Bhatti Bhati|میر Mir Meer`,
  ),
  IE: names(
    `Catherine Katherine Kathryn|Ciara Keira Kiera|Niamh Neve|Ann Anne|Helen Helena|Margaret Margret|Caitlin Kaitlin
    Eileen Aileen|Sarah Sara`,
    `Seán Shaun Shawn|Stephen Steven|Conor Connor|Pádraig Patrick Padraic|Brian Bryan|Alan Allan|Eoin Owen|Geoffrey Jeffrey
    Ruairí Rory`,
    `Byrne Burn Burns|Reilly Riley|Connolly Connelly|Doherty Dougherty|Quinn Quin|Clarke Clark|Reid Reed Read
    McLoughlin McLaughlin|Keane Kane|Kavanagh Cavanagh|Smith Smyth|Maguire McGuire`,
  ),
  ES: names(
    `Elena Helena|Inés Ynés|Sofía Sophia|Ester Esther|Judit Judith`,
    `Javier Xavier|Óscar Oskar|Gerónimo Jerónimo|Iván Yván|José Josep`,
    `Jiménez Giménez|Vázquez Vásquez|Rodríguez Rodrigues|Ibáñez Ybáñez|Martínez Martines|Gómez Gomes|Álvarez Álvares`,
  ),
};

function names(female: string, male: string, last: string, ofWoman = (name: string) => name): Names {
  const rows = (text: string) => text.split(/[|\n]/).map((row) => row.trim().split(/\s+/));
  const lasts = rows(last);
  const lastOfWomen = lasts.map((spellings) => spellings.map(ofWoman));
  return { female: rows(female), male: rows(male), last: lasts, lastOfWomen };
}

const EMPTY: Names = { female: [], male: [], last: [], lastOfWomen: [] };

/** The names of a country in its own script, or in the Latin letters that are used most. */
export function spelt(country: string, kind: NameKind, isLatin: boolean): readonly string[] {
  return (NAMES[country] ?? EMPTY)[kind].map(([own = '', latin = own]) => (isLatin ? latin : own));
}

/** Whether people of this country are also registered with Latin letters instead of those of their passport. */
export function isTranscribed(country: string): boolean {
  return !spelt(country, 'last', false).every(inLatin);
}

export function inLatin(name: string): boolean {
  return /^[\p{Script=Latin}\p{M} '-]+$/u.test(name);
}

/** Other ways to write a name with Latin letters, for one that has these. */
export function otherSpellings(country: string, kinds: readonly NameKind[], name: string): readonly string[] {
  return inLatin(name) ? spellingsOf(country, kinds, name).filter((other) => other !== name && inLatin(other)) : [];
}

/** The same name in Latin letters, or in the script of the country if it has Latin ones. */
export function inOtherScript(country: string, kinds: readonly NameKind[], name: string): readonly string[] {
  return spellingsOf(country, kinds, name).filter((other) => inLatin(other) !== inLatin(name));
}

function spellingsOf(country: string, kinds: readonly NameKind[], name: string): Spellings {
  const all = kinds.flatMap((kind) => (NAMES[country] ?? EMPTY)[kind]);
  return all.find((spellings) => spellings.includes(name)) ?? [];
}
