import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** px from the end within which new lines keep the end in sight */
const NEAR_END = 120;

export interface LogBoxProps {
  readonly label: string;
  /** changes with every new line */
  readonly end: string | number | undefined;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Lines of a log, newest at the bottom, which stays in sight for a reader who is there. */
export function LogBox({ label, end, class: kind = '', children }: LogBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  /** the reader is at the end, as everybody is at first */
  const following = useRef(true);
  useEffect(() => {
    const element = box.current;
    if (element !== null && following.current) element.scrollTop = element.scrollHeight;
  }, [end]);
  return (
    <div
      class={`log ${kind}`}
      role="log"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keys
      tabIndex={0}
      ref={box}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        following.current = scrollHeight - scrollTop - clientHeight < NEAR_END;
      }}
    >
      {children}
    </div>
  );
}

export interface LogSearchProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
}

export function LogSearch({ value, onInput }: LogSearchProps) {
  return (
    <label class="field search-field log-search">
      <Icon name="search" />
      <input
        type="search"
        aria-label="Search log"
        placeholder="Search log"
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}
