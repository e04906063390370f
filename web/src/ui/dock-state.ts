import { DockLayout } from './dock-layout.ts';
import { remember, remembered } from './stored.ts';

/** The dock of this page. */
export const { dockView, dockShare, setDockShare, resetDockShare } = new DockLayout({ remember, remembered });
