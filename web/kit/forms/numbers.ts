/** The number that somebody wrote. A decimal comma is as good as a point. */
export function numberIn(text: string): number {
  return Number(text.trim().replace(',', '.'));
}
