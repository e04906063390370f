/** Content with an entity tag of its bytes, for conditional requests. */
export interface Tagged<T> {
  readonly content: T;
  /** strong entity tag, without quotes */
  readonly etag: string;
}
