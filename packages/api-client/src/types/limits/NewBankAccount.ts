/** Limits of the fields. Generated. */
export const NewBankAccount = {
  name: {"required":true,"longest":100},
  kind: {"isFilter":true,"choices":["bank","card"],"initially":"bank"},
  accountNo: {"longest":40},
  currency: {"required":true,"pattern":"^[A-Z]{3}$"},
  format: {"required":true,"choices":["camt053","csv"]},
  mapping: {"parts":{"encoding":{"choices":["utf-8","utf-16le","utf-16be","windows-1250","windows-1251","windows-1252","windows-1253","windows-1254","windows-1255","windows-1256","windows-1257","windows-1258","windows-874","koi8-r","macintosh","gb18030","big5","shift_jis","euc-jp","euc-kr","iso-8859-1","iso-8859-2","iso-8859-15"],"initially":"utf-8"},"separator":{"required":true,"choices":[",",";","\t","|"]},"decimal":{"required":true,"choices":[".",","]},"group":{"choices":["",".",","," ","'"],"initially":""},"dateFormat":{"required":true,"pattern":"^(?=.*D)(?=.*M)(?=.*YY)(?:DD?|MM?|YYYY|YY|[./ -])+$"},"linesBefore":{"least":0,"most":100,"initially":0},"hasHeader":{"initially":true},"currency":{"required":true,"pattern":"^[A-Z]{3}$"},"date":{"required":true,"longest":200},"valueDate":{"longest":200},"amount":{"longest":200},"debit":{"longest":200},"credit":{"longest":200},"sign":{"parts":{"column":{"required":true,"longest":200},"debit":{"required":true},"credit":{}}},"balance":{"longest":200},"texts":{"longest":200,"initially":[]},"reference":{"longest":200},"partyName":{"longest":200},"partyAccount":{"longest":200},"account":{"longest":200},"continuesText":{"initially":false},"newestFirst":{}}},
  flipsReversals: {"initially":false},
} as const;
