/** What anybody reads who checks a document. `{…}` stands for a value. */
export const words = {
  title: 'Check a document',
  how: 'Choose the PDF that you were given. The page says whether a hospital of this platform issued exactly this file.',
  private: 'The file stays on this device. Only its fingerprint is sent.',
  choose: 'Choose a PDF',
  checking: 'One moment…',
  genuine: 'This document is genuine.',
  issuedBy: '{hospital} issued it on {when}.',
  unknown: 'No hospital of this platform issued this file.',
  unknownHow: 'It was changed, or it comes from elsewhere. A scan or a photo of a document is another file.',
  trouble: 'The document could not be checked. Try again shortly.',
};
export type Words = typeof words;
