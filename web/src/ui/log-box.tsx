import './log-box.css';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** px: within this distance from the end, new lines scroll the box to the end */
const NEAR_END = 120;

export interface LogBoxProps {
  readonly label: string;
  /** changes with every new line */
  readonly end: string | number | undefined;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Lines of a log, newest at the bottom. The box follows new lines while the reader is at the end. */
export function LogBox({ label, end, class: kind = '', children }: LogBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  /** whether the reader is at the end; true initially */
  const following = useRef(true);
  const [left, setLeft] = useState(false);
  /** last scroll position */
  const top = useRef(0);
  const toEnd = () => {
    const element = box.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  };
  // Before the next scroll event: if lines are dropped first, that event looks as if the reader had scrolled up.
  useLayoutEffect(() => {
    if (following.current) toEnd();
  }, [end]);
  return (
    <div class="log-frame">
      <div
        class={`log ${kind}`}
        role="log"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
        tabIndex={0}
        ref={box}
        // at the end, lines dropped above must not move the box; elsewhere they must not move the visible lines
        style={{ overflowAnchor: left ? 'auto' : 'none' }}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          // new lines between a scroll and its event also increase the distance, so only scrolling up ends following
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
