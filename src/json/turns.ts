/** Does things of the same name one after the other. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does something when what came before it has ended, well or not. */
  async take<T>(name: string, act: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(name) ?? Promise.resolve()).then(act);
    const ended = turn.catch(() => {});
    this.#last.set(name, ended);
    void ended.then(() => {
      if (this.#last.get(name) === ended) this.#last.delete(name);
    });
    return turn;
  }
}
