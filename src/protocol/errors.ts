/** Every error code of the service and the HTTP status it is answered with. One code, one meaning. */
export const STATUS = {
  bad_input: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media: 415,
  upgrade_required: 426,
  internal: 500,
  unavailable: 503,
  disk_full: 507,
} as const;

export type ErrorCode = keyof typeof STATUS;

/** Body of every error answer: a sentence a person can act on. */
export interface ErrorBody {
  readonly detail: string;
}
