/** The headers of a response as they will be sent: name, value, name, value, … */
export class ResponseHead {
  readonly flat: string[];

  constructor(flat: string[] = []) {
    this.flat = flat;
  }

  get(name: string): string | undefined {
    const at = this.#indexOf(name);
    return at < 0 ? undefined : this.flat[at + 1];
  }

  set(name: string, value: string): void {
    const at = this.#indexOf(name);
    if (at < 0) {
      this.flat.push(name, value);
      return;
    }
    this.flat[at + 1] = value;
    this.#removeFrom(name, at + 2);
  }

  append(name: string, value: string): void {
    this.flat.push(name, value);
  }

  remove(name: string): void {
    this.#removeFrom(name, 0);
  }

  #indexOf(name: string, from = 0): number {
    const lower = name.toLowerCase();
    for (let at = from; at < this.flat.length; at += 2) {
      const candidate = this.flat[at] as string;
      if (candidate.length === name.length && candidate.toLowerCase() === lower) return at;
    }
    return -1;
  }

  #removeFrom(name: string, from: number): void {
    for (let at = this.#indexOf(name, from); at >= 0; at = this.#indexOf(name, at)) this.flat.splice(at, 2);
  }
}
