import type { QueryOf, ReplyOf } from '../../protocol/route.ts';
import type { listClips } from '../../protocol/routes/datasets.ts';
import type { DatasetCounts } from '../../protocol/schemas/data.ts';
import type { ReadOptions } from '../../protocol/schemas/reading.ts';

/** The file of a clip. */
export interface ClipFile {
  readonly path: string;
  readonly format: string;
  readonly source: 'npz' | 'raw';
  /** overrides what the file or its format states */
  readonly read: ReadOptions;
  /** size and modification time when the file was found; if either differs, the rows may have changed */
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
