import { useRef } from 'preact/hooks';
import { helpOpen, paletteOpen } from '../ui/layout.ts';
import { Lazy, type LazyProps } from '../ui/lazy.tsx';
import { captureOpen } from '../viewport/view-state.ts';

export const loadPalette = () => import('./palette.tsx').then((part) => part.Palette);
const shortcuts = () => import('./shortcuts-dialog.tsx').then((part) => part.ShortcutsDialog);

export const Palette = () => <OnceOpen open={paletteOpen.value} load={loadPalette} />;
const capture = () => import('../viewport/capture/capture-panel.tsx').then((part) => part.CapturePanel);
export const CapturePanel = () => <OnceOpen open={captureOpen.value} load={capture} />;
export const ShortcutsDialog = () => <OnceOpen open={helpOpen.value} load={shortcuts} />;

/** Keeps a dialog in the page after its first opening, so that it can return the focus when it closes. */
function OnceOpen({ open, load }: LazyProps & { readonly open: boolean }) {
  const seen = useRef(false);
  if (open) seen.current = true;
  return seen.current ? <Lazy load={load} /> : null;
}
