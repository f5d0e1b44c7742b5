export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Records how long work takes, and its parent. */
export interface Tracing {
  /**
   * Runs `work` as a span. A span that starts inside another one is its child, and inherits its attributes.
   * @param work receives a function that adds attributes. An error marks the span as failed.
   */
  span<T>(
    name: string,
    attributes: Attributes,
    work: (add: (attributes: Attributes) => void) => Promise<T>,
  ): Promise<T>;
  /** Sends the pending spans. */
  stop(): Promise<void>;
}

const ignore = (): void => undefined;

/** Used without an endpoint: loads and records nothing. */
export const NO_TRACING: Tracing = {
  span: (_name, _attributes, work) => work(ignore),
  stop: () => Promise.resolve(),
};
