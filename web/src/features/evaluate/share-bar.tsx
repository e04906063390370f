import { fixed } from '../../ui/format.ts';

export interface ShareBarProps {
  /** share from 0 to 1, drawn as the filled part of the bar */
  readonly share: number;
  readonly kind: 'good' | 'fair' | 'bad' | 'plain';
}

/** A share in percent in front of a bar that shows the same share. */
export function ShareBar({ share, kind }: ShareBarProps) {
  return (
    <span class={`share-bar share-${kind}`}>
      <span class="share-fill" style={{ width: `${Math.min(100, 100 * share)}%` }} />
      <span class="share-text num">{fixed(100 * share, 0)} %</span>
    </span>
  );
}
