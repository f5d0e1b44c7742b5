/** A phone number, to be read. On a phone, it can be called. */
import { useTranslation } from 'react-i18next';
import { usePhones } from './phones.ts';

/** @param kept in international form. Null is unknown. */
export function Phone({ kept }: { readonly kept: string | null }) {
  const { t } = useTranslation();
  const phones = usePhones();
  if (kept === null) return <>{t('app.unknown')}</>;
  return (
    <bdi dir="ltr" className="hms-number">
      {matchMedia('(pointer: coarse)').matches ? <a href={`tel:${kept}`}>{phones.show(kept)}</a> : phones.show(kept)}
    </bdi>
  );
}
