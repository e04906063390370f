import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { messageOf } from './message-of.ts';
import { Failed, Skeleton } from './states.tsx';

export interface LazyProps {
  /** a dynamic import that returns the component; must be the same function on every render */
  readonly load: () => Promise<ComponentType>;
  /** name of the loaded part, for the error message */
  readonly what: string;
  /** render nothing while loading */
  readonly quiet?: boolean;
}

/** Parts already loaded, so that they can be shown again without waiting. */
const there = new WeakMap<LazyProps['load'], ComponentType>();

/** Loads the code of a part before its first use. */
export async function preload(load: LazyProps['load']): Promise<ComponentType> {
  const Part = await load();
  there.set(load, Part);
  return Part;
}

/** A part of the page whose code is loaded when it is first shown. */
export function Lazy({ load, what, quiet = false }: LazyProps) {
  const [error, setError] = useState<string | null>(null);
  const [tries, setTries] = useState(0);
  const Part = there.get(load);
  useEffect(() => {
    if (there.has(load)) {
      // the part was preloaded between rendering and this effect: render again
      if (Part === undefined) setTries(tries + 1);
      return;
    }
    let gone = false;
    setError(null);
    preload(load).then(
      () => gone || setTries(tries + 1), // renders again with the loaded part
      (failure: unknown) => gone || setError(messageOf(failure)),
    );
    return () => {
      gone = true;
    };
  }, [load, tries, Part]);
  if (Part !== undefined) return <Part />;
  if (error !== null)
    return <Failed what={`${what} could not be loaded`} detail={error} onRetry={() => setTries(tries + 1)} />;
  return quiet ? null : <Skeleton rows={3} label={`Loading ${what}`} />;
}
