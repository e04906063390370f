/** HTTP status of every error code. */
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

/** Body of every error answer: the problem and its remedy. */
export interface ErrorBody {
  readonly detail: string;
}
