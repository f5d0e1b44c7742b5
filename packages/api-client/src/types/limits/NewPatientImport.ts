/** Limits of the fields. Generated. */
export const NewPatientImport = {
  fileName: {"required":true,"longest":255},
  content: {"required":true,"longest":9333336},
  encoding: {"choices":["utf-8","utf-16le","utf-16be","windows-1250","windows-1251","windows-1252","windows-1253","windows-1254","windows-1255","windows-1256","windows-1257","windows-1258","windows-874","koi8-r","macintosh","gb18030","big5","shift_jis","euc-jp","euc-kr"]},
  separator: {"choices":[",",";","\t","|"]},
  columns: {"choices":["firstName","lastName","phone","dateOfBirth","email","gender","bloodGroup","street","city","region","postalCode","country","allergies","alerts"]},
  dateOrder: {"choices":["dmy","mdy"]},
  country: {"pattern":"^[A-Z]{2}$"},
} as const;
