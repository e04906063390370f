import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from '../net/api.ts';
import { Failed, Skeleton } from './states.tsx';

export interface LazyProps {
  /** a dynamic import that gives the component; the same function on every render */
  readonly load: () => Promise<ComponentType>;
  /** what is loaded, for the message where it cannot be */
  readonly what: string;
}

/** A part of the page whose code comes when it is first shown. */
export function Lazy({ load, what }: LazyProps) {
  const [part, setPart] = useState<{ readonly Part: ComponentType | null; readonly error: string | null }>({
    Part: null,
    error: null,
  });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let gone = false;
    load().then(
      (Part) => gone || setPart({ Part, error: null }),
      (error: unknown) => gone || setPart({ Part: null, error: messageOf(error) }),
    );
    return () => {
      gone = true;
    };
  }, [load, tries]);
  const { Part, error } = part;
  if (Part !== null) return <Part />;
  if (error !== null)
    return <Failed what={`${what} could not be loaded`} detail={error} onRetry={() => setTries(tries + 1)} />;
  return <Skeleton rows={3} label={`Loading ${what}`} />;
}
