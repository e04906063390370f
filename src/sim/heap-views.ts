/** Keeps views of MuJoCo's arrays valid. MuJoCo's heap may grow in any call; older views then silently have length 0.
 *  `current` fetches them again if that has happened; the check is one comparison. */
export class HeapViews<V extends { readonly qpos: Float64Array }> {
  readonly #fetch: () => V;
  #views: V;

  /** @param fetch creates all views; the model must have joints, so that `qpos` is empty only if it is stale */
  constructor(fetch: () => V) {
    this.#fetch = fetch;
    this.#views = fetch();
  }

  /** The views; valid until the next call of MuJoCo. */
  get current(): V {
    if (this.#views.qpos.length === 0) this.#views = this.#fetch();
    return this.#views;
  }
}
