import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failed, Skeleton } from './states.tsx';
import { failed } from './toasts.ts';

export interface LazyProps {
  /** a dynamic import that returns the component; must be the same function on every render */
  readonly load: () => Promise<ComponentType>;
  /** name of the loaded part, for the error message; absent for dialogs, which have no place in the page: a toast then
   *  shows the error */
  readonly what?: string;
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

/** A part of the page whose code is loaded when it is first shown. If that fails, only a reload of the page helps: a
 *  browser never fetches a module again that it could not download. */
export function Lazy({ load, what, quiet }: LazyProps) {
  const [broken, setBroken] = useState(false);
  const [tries, setTries] = useState(0);
  const Part = there.get(load);
  useEffect(() => {
    if (there.has(load)) {
      // the part was preloaded between rendering and this effect: render again
      if (Part === undefined) setTries(tries + 1);
      return;
    }
    let gone = false;
    preload(load).then(
      () => gone || setTries(tries + 1), // renders again with the loaded part
      (failure: unknown) => {
        if (gone) return;
        if (what === undefined) failed('A dialog could not be loaded', failure);
        else setBroken(true);
      },
    );
    return () => {
      gone = true;
    };
  }, [load, tries, Part]);
  if (Part !== undefined) return <Part />;
  if (what === undefined) return null;
  if (broken) {
    const detail = 'Reload the page when the service is connected.';
    const reload = () => location.reload();
    return <Failed what={`${what} could not be loaded`} detail={detail} retry="Reload page" onRetry={reload} />;
  }
  return quiet ? null : <Skeleton rows={3} label={`Loading ${what}`} />;
}
