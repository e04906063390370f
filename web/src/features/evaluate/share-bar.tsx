import { fixed } from '../../ui/format.ts';

export interface ShareBarProps {
  /** 0..1; more fills the bar */
  readonly share: number;
  readonly kind: 'good' | 'fair' | 'bad' | 'plain';
}

/** A share in percent with a bar behind it. */
export function ShareBar({ share, kind }: ShareBarProps) {
  return (
    <span class={`share-bar share-${kind}`}>
      <span class="share-fill" style={{ width: `${Math.min(100, 100 * share)}%` }} />
      <span class="share-text num">{fixed(100 * share, 0)} %</span>
    </span>
  );
}
