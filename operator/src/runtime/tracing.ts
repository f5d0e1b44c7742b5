export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Says how long a piece of work took, and as part of what. */
export interface Tracing {
  /**
   * Runs `work` as a span. A span that is begun inside another one is its child, and has its attributes.
   * @param work gets a function that adds attributes, as more becomes known. What it throws marks the span as failed.
   */
  span<T>(
    name: string,
    attributes: Attributes,
    work: (add: (attributes: Attributes) => void) => Promise<T>,
  ): Promise<T>;
  /** Sends what has not been sent yet. */
  stop(): Promise<void>;
}

const ignore = (): void => undefined;

/** Where no endpoint is set: nothing is loaded and nothing is kept. */
export const NO_TRACING: Tracing = {
  span: (_name, _attributes, work) => work(ignore),
  stop: () => Promise.resolve(),
};
