/** The editor's parts, which are loaded together: one chunk instead of three. */
export { EditPanel } from './edit-panel.tsx';
export { TrimLane } from './trim-lane.tsx';
