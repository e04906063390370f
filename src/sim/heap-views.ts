/** Views of MuJoCo's arrays that stay valid. MuJoCo's heap may grow in any call; views taken before then have length 0,
 *  without an error. `current` fetches them again when that has happened; the check is one comparison. */
export class HeapViews<V extends { readonly qpos: Float64Array }> {
  readonly #fetch: () => V;
  #views: V;

  /** @param fetch takes all views; the model must have joints, so that `qpos` is empty only when it is stale */
  constructor(fetch: () => V) {
    this.#fetch = fetch;
    this.#views = fetch();
  }

  /** Valid until the next call of MuJoCo. */
  get current(): V {
    if (this.#views.qpos.length === 0) this.#views = this.#fetch();
    return this.#views;
  }
}
