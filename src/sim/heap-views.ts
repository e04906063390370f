/** Views of MuJoCo's arrays that stay good. When MuJoCo's heap grows, as it may in any call, views taken before are left
 *  empty without a word. So they are asked for again after each call, which costs a comparison. */
export class HeapViews<V extends { readonly qpos: Float64Array }> {
  readonly #fetch: () => V;
  #views: V;

  /** @param fetch takes all views anew; `qpos` is of a model that has joints, so that it is empty only when it is stale */
  constructor(fetch: () => V) {
    this.#fetch = fetch;
    this.#views = fetch();
  }

  /** Good until MuJoCo is called again. */
  get current(): V {
    if (this.#views.qpos.length === 0) this.#views = this.#fetch();
    return this.#views;
  }
}
