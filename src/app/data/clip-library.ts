import type { QueryOf, ReplyOf } from '../../protocol/route.ts';
import type { listClips } from '../../protocol/routes/datasets.ts';
import type { DatasetCounts } from '../../protocol/schemas/data.ts';
import type { ReadOptions } from '../../protocol/schemas/reading.ts';

/** The file that contains a clip. */
export interface ClipFile {
  readonly path: string;
  readonly format: string;
  readonly source: 'npz' | 'raw';
  /** options that override what the file or its format states */
  readonly read: ReadOptions;
  /** size and modification time of the file when it was found; if either changes, the file must be read again */
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** The datasets of one robot. */
export interface ClipLibrary {
  datasets(): Promise<DatasetCounts[]>;
  clips(query: QueryOf<typeof listClips>): Promise<ReplyOf<typeof listClips>>;
  /** @throws StudioError bad_input for an unknown dataset or clip, or a source that the clip does not have */
  resolve(dataset: string, clip: string, source: 'auto' | 'npz' | 'raw'): Promise<ClipFile>;
}
