/** A command that a key or the palette can run in any area. */
export type Command =
  | 'play'
  | 'step-forward'
  | 'step-back'
  | 'second-forward'
  | 'second-back'
  | 'first'
  | 'last'
  | 'marker-previous'
  | 'marker-next'
  | 'clip-previous'
  | 'clip-next'
  | 'faster'
  | 'slower'
  | 'real-time'
  | 'camera'
  | 'frame-all'
  | 'contacts'
  | 'ghost'
  | 'restart'
  | 'tint'
  | 'alone'
  | 'push'
  | 'plots'
  | 'search'
  | 'copy-link'
  | 'palette'
  | 'help'
  | 'close'
  | AreaCommand;

/** Opens the area with this id. */
export type AreaCommand = `area-${string}`;
