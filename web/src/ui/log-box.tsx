import './log-box.css';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
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
  const [left, setLeft] = useState(false);
  /** where the box was scrolled to last */
  const top = useRef(0);
  const toEnd = () => {
    const element = box.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  };
  useEffect(() => {
    if (following.current) toEnd();
  }, [end]);
  return (
    <div class="log-frame">
      <div
        class={`log ${kind}`}
        role="log"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keys
        tabIndex={0}
        ref={box}
        // At the end lines that are dropped above must not move it, elsewhere they must not move what is read.
        style={{ overflowAnchor: left ? 'auto' : 'none' }}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          // Lines that come between a scroll and its event lead away from the end, too: only the reader goes up.
          if (scrollHeight - scrollTop - clientHeight < NEAR_END) following.current = true;
          else if (scrollTop < top.current) following.current = false;
          top.current = scrollTop;
          setLeft(!following.current);
        }}
      >
        {children}
      </div>
      {left && (
        <button type="button" class="btn btn-default btn-s log-newest" onClick={toEnd}>
          Newest lines
        </button>
      )}
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
