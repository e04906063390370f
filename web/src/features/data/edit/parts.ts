/** Exports the editor's parts together, so that they are loaded as one chunk instead of three. */
export { EditPanel } from './edit-panel.tsx';
export { TrimLane } from './trim-lane.tsx';
