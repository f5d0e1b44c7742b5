/** A text that is produced while it is sent. */

/**
 * Starts `produce`, which waits in `write` until the client has taken what came before.
 * @returns the text, when its first piece is there.
 * @throws whatever `produce` throws before its first piece. Later, reading the text throws it.
 */
export async function streamed(
  produce: (write: (piece: string) => Promise<void>) => Promise<void>,
): Promise<AsyncIterable<string>> {
  const { readable, writable } = new TransformStream<string, string>();
  const writer = writable.getWriter();
  const begun = Promise.withResolvers<void>();
  const produced = produce((piece) => {
    begun.resolve();
    return writer.write(piece);
  });
  produced.then(
    () => writer.close().catch(() => undefined),
    (error: unknown) => writer.abort(error).catch(() => undefined),
  );
  await Promise.race([begun.promise, produced]);
  return readable;
}
