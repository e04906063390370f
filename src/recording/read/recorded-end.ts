import { type RecordingEnd, UNKNOWN_END } from '../recorded.ts';
import type { McapReader } from './mcap-reader.ts';

/** Reads how a recording ended, without reading its messages. A recording whose end was not written is `cut`. */
export function recordedEnd(reader: McapReader): Omit<RecordingEnd, 'frames'> {
  const { metadata, duration } = reader.end();
  const isDone = metadata?.get('state') === 'done';
  return {
    state: isDone ? 'done' : 'cut',
    duration: secondsOf(metadata?.get('duration')) ?? duration,
    reason: isDone ? null : (metadata?.get('reason') ?? UNKNOWN_END),
  };
}

function secondsOf(text: string | undefined): number | null {
  const value = Number(text);
  return text !== undefined && Number.isFinite(value) && value >= 0 ? value : null;
}
