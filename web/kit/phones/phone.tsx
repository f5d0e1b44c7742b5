/** A phone number, to be read. */
import { usePhones } from './phones.ts';

/** @param kept in international form. */
export function Phone({ kept }: { readonly kept: string }) {
  return (
    <bdi dir="ltr" className="hms-number">
      {usePhones().show(kept)}
    </bdi>
  );
}
