import './term.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { GLOSSARY, type GlossaryKey } from './glossary.ts';
import { Icon } from './icon.tsx';

/** Distance of the text from the edges of the page, px. */
const EDGE = 8;
const WIDTH = 264;
const HEIGHT = 120;

/** A (?) that explains a technical term. A second click, Escape or a click elsewhere closes the text. */
export function Term({ of }: { readonly of: GlossaryKey }) {
  const [at, setAt] = useState<{ readonly left: string; readonly top: string } | null>(null);
  const root = useRef<HTMLSpanElement>(null);
  const { term, text } = GLOSSARY[of];
  useEffect(() => {
    if (at === null) return;
    const outside = (event: Event) => {
      if (!(event.target instanceof Node) || root.current?.contains(event.target) !== true) setAt(null);
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('scroll', outside, true);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('scroll', outside, true);
    };
  }, [at]);
  const toggle = () => {
    const box = root.current?.getBoundingClientRect();
    if (at !== null || box === undefined) return setAt(null);
    const left = Math.max(EDGE, Math.min(box.left, window.innerWidth - WIDTH - EDGE));
    const below = box.bottom + HEIGHT < window.innerHeight;
    setAt({ left: `${left}px`, top: `${below ? box.bottom + 4 : Math.max(EDGE, box.top - HEIGHT)}px` });
  };
  return (
    <span ref={root}>
      <button
        type="button"
        class="term"
        aria-label={`What is this: ${term}`}
        aria-expanded={at !== null}
        onClick={(event) => {
          event.preventDefault(); // inside a label, a click on it must not change the field
          toggle();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || at === null) return;
          event.stopPropagation();
          setAt(null);
        }}
      >
        <Icon name="help" small />
      </button>
      {at !== null && (
        <span class="term-text" role="note" style={at}>
          <b>{term}.</b> {text}
        </span>
      )}
    </span>
  );
}
