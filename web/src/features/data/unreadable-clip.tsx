import type { Clip } from '../../../../src/protocol/schemas/data.ts';
import { Badge, IconButton } from '../../ui/controls.tsx';
import { sentence } from '../../ui/format.ts';
import { Skeleton } from '../../ui/states.tsx';
import { ErrorNote, FileActions, SourceSection } from './clip-files.tsx';
import { unreadable } from './unreadable.ts';

export interface UnreadableClipProps {
  readonly dataset: string;
  readonly name: string;
  /** null until the listing is read */
  readonly clip: Clip | null;
}

/** Inspector of a clip that cannot be read: why, how its file is read, and the actions that are possible. */
export function UnreadableClip({ dataset, name, clip }: UnreadableClipProps) {
  return (
    <>
      <div class="clip-head">
        <div class="clip-head-row">
          <h2 class="ellipsis grow">{name}</h2>
          <Badge kind="error">Unreadable</Badge>
          <IconButton icon="close" label="Close" onClick={() => (unreadable.value = null)} />
        </div>
      </div>
      {clip === null ? (
        <Skeleton rows={4} label="Reading the clip" />
      ) : (
        <div class="tab-scroll">
          {clip.error !== null && <ErrorNote text={sentence(clip.error)} />}
          <SourceSection dataset={dataset} clip={clip} />
          <FileActions set={dataset} clip={clip} />
        </div>
      )}
    </>
  );
}
