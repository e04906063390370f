import { StudioError } from '../../core/errors.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import { type ConversionOrder, type ConversionReport, convertClipFile } from './convert-clip-file.ts';

/** How the conversion of one clip ended. */
export type ConversionEnd =
  | { readonly ok: true; readonly report: ConversionReport }
  | { readonly ok: false; readonly code: ErrorCode; readonly detail: string };

/** Converts clips one after the other in this thread. While the disk saves a clip, the thread converts the next one:
 *  waiting for the disk takes longer than a third of the conversion of a short clip.
 *  @param atOnce number of clips that are converted or saved at the same time
 *  @returns for each order how it ended  @throws errors that are caused by bugs; all clips must then be converted again
 *  */
export async function convertClipFiles(orders: readonly ConversionOrder[], atOnce: number): Promise<ConversionEnd[]> {
  const ends: ConversionEnd[] = [];
  const waiting = orders.entries();
  const work = async () => {
    for (const [k, order] of waiting) ends[k] = await endOf(order);
  };
  const results = await Promise.allSettled(Array.from({ length: atOnce }, work));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return ends;
}

async function endOf(order: ConversionOrder): Promise<ConversionEnd> {
  try {
    return { ok: true, report: await convertClipFile(order) };
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return { ok: false, code: error.code, detail: error.message };
  }
}
