import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from './controls.tsx';
import { Icon, type IconName } from './icon.tsx';
import type { Loaded } from './loadable.ts';

/** Grey bars as placeholders for text; shown once loading has taken 150 ms. */
export function Skeleton({ rows, label }: { readonly rows: number; readonly label: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(true), 150);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <div class="skeleton" role="status" aria-label={label}>
      {late &&
        Array.from({ length: rows }, (_, k) => <span key={k} style={{ width: `${[92, 64, 78, 50][k % 4]}%` }} />)}
    </div>
  );
}

export interface EmptyProps {
  readonly icon?: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** Empty state: a title, a line of text, and at most one button. */
export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div class="empty">
      {icon !== undefined && <Icon name={icon} />}
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export interface FailedProps {
  readonly what: string;
  readonly detail: string;
  /** label of the button */
  readonly retry?: string;
  readonly onRetry: () => void;
}

export function Failed({ what, detail, retry = 'Try again', onRetry }: FailedProps) {
  return (
    <div class="empty" role="alert">
      <Icon name="warn" />
      <p class="empty-title">{what}</p>
      <p class="dim">{detail}</p>
      <Button kind="outline" onClick={onRetry}>
        {retry}
      </Button>
    </div>
  );
}

export interface WithLoadedProps<T> {
  readonly loaded: Loaded<T>;
  /** the content that could not be read, as a sentence */
  readonly what: string;
  readonly rows?: number;
  readonly retry: () => void;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows a loaded value, its loading state or its error. A loaded value stays visible while it is fetched again. */
export function WithLoaded<T>({ loaded, what, rows = 4, retry, children }: WithLoadedProps<T>) {
  if (loaded.value !== null) return <>{children(loaded.value)}</>;
  if (loaded.error !== null) return <Failed what={what} detail={loaded.error} onRetry={retry} />;
  return <Skeleton rows={rows} label="Loading" />;
}
