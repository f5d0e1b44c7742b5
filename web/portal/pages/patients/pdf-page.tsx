/**
 * Draws a PDF, one page at a time. PDF.js reads the file in a worker and never runs what is in it, and the page shows a
 * picture. So nothing in the file acts as this page, whatever it contains.
 */
import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy, version } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

GlobalWorkerOptions.workerSrc = workerUrl;
/** The plugin `pdf-files` of the build puts them there. */
const files = (folder: string) => `${location.origin}/assets/pdfjs-${version}/${folder}/`;
/** Pixels of one picture. A page of a hostile file may claim to be kilometres long. */
const MOST_PIXELS = 16_000_000;

interface Props {
  readonly file: Blob;
  readonly name: string;
  /** The file is damaged, needs a password, or is no PDF at all. */
  onFail(): void;
}

export function PdfPage({ file, name, onFail }: Props) {
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [pdf, setPdf] = useState<PDFDocumentProxy>();
  const [page, setPage] = useState(1);
  const [isDrawn, setDrawn] = useState(false);
  const fail = useEffectEvent(onFail);

  useEffect(() => {
    const opening = file.arrayBuffer().then((data) =>
      getDocument({
        data,
        cMapUrl: files('cmaps'),
        standardFontDataUrl: files('standard_fonts'),
        wasmUrl: files('wasm'),
        useWasm: false,
        canvasMaxAreaInBytes: MOST_PIXELS * 4,
        verbosity: 0,
      }),
    );
    let isOver = false;
    opening
      .then((task) => task.promise)
      .then(setPdf)
      .catch(() => isOver || fail());
    return () => {
      isOver = true;
      void opening.then((task) => task.destroy());
    };
  }, [file]);

  useEffect(() => {
    if (!pdf) return;
    let isOver = false;
    let cancel = () => undefined as unknown;
    const draw = async () => {
      const shown = await pdf.getPage(page);
      const target = canvas.current;
      if (isOver || !target) return;
      const { width, height } = shown.getViewport({ scale: 1 });
      const wanted = (target.parentElement?.clientWidth ?? width) * Math.min(devicePixelRatio, 2);
      const scale = Math.min(wanted / width, Math.sqrt(MOST_PIXELS / (width * height)));
      const viewport = shown.getViewport({ scale });
      target.width = Math.max(1, Math.floor(viewport.width));
      target.height = Math.max(1, Math.floor(viewport.height));
      const drawing = shown.render({ canvas: target, viewport });
      cancel = () => drawing.cancel();
      await drawing.promise;
      setDrawn(true);
    };
    draw().catch(() => isOver || fail());
    return () => {
      isOver = true;
      cancel();
    };
  }, [pdf, page]);

  const turn = (by: number) => {
    setDrawn(false);
    setPage(page + by);
  };
  return (
    <Stack gap="sm">
      {pdf && pdf.numPages > 1 && (
        <Group gap="sm" justify="center">
          <Button size="compact-sm" variant="default" disabled={page === 1} onClick={() => turn(-1)}>
            {t('documents.previousPage')}
          </Button>
          <Text size="sm" role="status">
            {t('documents.page', { page, count: pdf.numPages })}
          </Text>
          <Button size="compact-sm" variant="default" disabled={page === pdf.numPages} onClick={() => turn(1)}>
            {t('documents.nextPage')}
          </Button>
        </Group>
      )}
      {!isDrawn && <Loader size="sm" aria-label={t('loading')} />}
      <div>
        <canvas
          ref={canvas}
          className="hms-preview"
          role="img"
          // A canvas takes its direction from the page, and PDF.js places each letter from its left side.
          dir="ltr"
          aria-label={t('documents.pageOf', { name, page })}
          hidden={!pdf}
          data-drawn={isDrawn ? page : undefined}
        />
      </div>
    </Stack>
  );
}
