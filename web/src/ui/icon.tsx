/** Icon paths on a 16 px grid with 1.5 px strokes. */
const PATHS = {
  robot:
    'M6 2h4a2 2 0 0 1 2 2v1.5a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zM6.4 4.8h.01M9.6 4.8h.01M5 10h6l.8 4H4.2zM2.2 9.5v3M13.8 9.5v3',
  data: 'M1.5 8h2l1.8-5 3 10 2-7 1.2 2h3',
  tasks: 'M2 4.5h6M12 4.5h2M8 2.8h3.4v3.4H8zM2 11.5h2M8 11.5h6M4.6 9.8H8v3.4H4.6z',
  train: 'M2.5 2.5v11h11M4.8 11c3-.2 3.2-6 8.2-6.6',
  play: 'M4.5 3v10l8-5z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  search: 'M11.2 7a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 0 1 8.4 0zM10.2 10.2l3.3 3.3',
  down: 'm4 6.2 4 4 4-4',
  right: 'm6.2 4 4 4-4 4',
  check: 'm3 8.4 3.2 3.2L13 4.8',
  close: 'm4 4 8 8M12 4l-8 8',
  help: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0zM6.3 6.3a1.8 1.8 0 1 1 2.4 1.9c-.5.2-.7.5-.7 1M8 11.4h.01',
  sun: 'M10.8 8a2.8 2.8 0 1 1-5.6 0 2.8 2.8 0 0 1 5.6 0zM8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  moon: 'M13 9.6A5.4 5.4 0 0 1 6.4 3a5.4 5.4 0 1 0 6.6 6.6z',
  users:
    'M8.3 5.5a2.3 2.3 0 1 1-4.6 0 2.3 2.3 0 0 1 4.6 0zM1.8 13c.3-2.4 2-3.8 4.2-3.8s3.9 1.4 4.2 3.8M10.5 3.4a2.3 2.3 0 0 1 0 4.2M11.8 9.6c1.4.5 2.2 1.7 2.4 3.4',
  camera:
    'M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM9.4 8a1.4 1.4 0 1 1-2.8 0 1.4 1.4 0 0 1 2.8 0zM8 1v2.6M8 12.4V15M1 8h2.6M12.4 8H15',
  heading: 'M8 1.5 12.5 14 8 11l-4.5 3z',
  frame: 'M2 5.5V2.5h3M11 2.5h3v3M14 10.5v3h-3M5 13.5H2v-3',
  contact: 'M13.6 12c0 1.1-2.5 2-5.6 2s-5.6-.9-5.6-2 2.5-2 5.6-2 5.6.9 5.6 2zM8 11.6V2.6M5.6 5 8 2.6 10.4 5',
  wiring:
    'M5.8 12a1.8 1.8 0 1 1-3.6 0 1.8 1.8 0 0 1 3.6 0zM13.8 4a1.8 1.8 0 1 1-3.6 0 1.8 1.8 0 0 1 3.6 0zM13.8 12a1.8 1.8 0 1 1-3.6 0 1.8 1.8 0 0 1 3.6 0zM5.3 10.7l5.4-5.4M5.8 12h4.4',
  trail: 'M2 12c3 0 2-7 6-7 3 0 2.5 4 5.5 4M14.4 9a1 1 0 1 1-2 0 1 1 0 0 1 2 0z',
  keybodies:
    'M9.6 3a1.6 1.6 0 1 1-3.2 0 1.6 1.6 0 0 1 3.2 0zM5.1 8a1.6 1.6 0 1 1-3.2 0 1.6 1.6 0 0 1 3.2 0zM14.1 8a1.6 1.6 0 1 1-3.2 0 1.6 1.6 0 0 1 3.2 0zM9.6 13a1.6 1.6 0 1 1-3.2 0 1.6 1.6 0 0 1 3.2 0z',
  stepForward: 'M5 3.5v9l6-4.5zM12.5 3.5v9',
  stepBack: 'M11 3.5v9L5 8zM3.5 3.5v9',
  first: 'M3.5 3.5v9M12.5 3.5 8 8l4.5 4.5M8.5 3.5 4 8l4.5 4.5',
  last: 'M12.5 3.5v9M3.5 3.5 8 8l-4.5 4.5M7.5 3.5 12 8l-4.5 4.5',
  loop: 'M3 7.5V7a2.5 2.5 0 0 1 2.5-2.5h6M9.5 2.5l2 2-2 2M13 8.5V9a2.5 2.5 0 0 1-2.5 2.5h-6M6.5 13.5l-2-2 2-2',
  folder: 'M1.8 12.5v-9h4l1.4 1.8h7v7.2z',
  link: 'M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.2-2.2A2.6 2.6 0 0 0 9 3.3l-.8.8M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.3 9A2.6 2.6 0 0 0 7 12.7l.8-.8',
  copy: 'M7 5.5h5A1.5 1.5 0 0 1 13.5 7v5a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 12V7A1.5 1.5 0 0 1 7 5.5zM10.5 5.5v-3h-8v8h3',
  dots: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  warn: 'M8 2.2 14.4 13.4H1.6zM8 6.6v3M8 11.5h.01',
  info: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0zM8 7.4v3.4M8 5.2h.01',
  status:
    'M5.5 4h5A1.5 1.5 0 0 1 12 5.5v5a1.5 1.5 0 0 1-1.5 1.5h-5A1.5 1.5 0 0 1 4 10.5v-5A1.5 1.5 0 0 1 5.5 4zM6.5 1.8V4M9.5 1.8V4M6.5 12v2.2M9.5 12v2.2M1.8 6.5H4M1.8 9.5H4M12 6.5h2.2M12 9.5h2.2',
  panel:
    'M3 2.5h10A1.5 1.5 0 0 1 14.5 4v8a1.5 1.5 0 0 1-1.5 1.5H3A1.5 1.5 0 0 1 1.5 12V4A1.5 1.5 0 0 1 3 2.5zM10 2.5v11',
  reset: 'M3 8a5 5 0 1 0 1.6-3.7M3 2.6v2.8h2.8',
  upload: 'M8 10V2.5M5 5.2l3-2.7 3 2.7M2.5 10v3.5h11V10',
  download: 'M8 2.5V10M5 7.4l3 2.7 3-2.7M2.5 10.5v3h11v-3',
  plus: 'M8 3v10M3 8h10',
  trash: 'M2.5 4.5h11M6 4.5V2.8h4v1.7M4 4.5l.6 9h6.8l.6-9M6.7 7v4M9.3 7v4',
  grid: 'M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z',
  ghost: 'M3.5 13.5V7.3a4.5 4.5 0 0 1 9 0v6.2l-2.2-1.4L8 13.5l-2.3-1.4zM6.3 7.4h.01M9.7 7.4h.01',
  stop: 'M4 4h8v8H4z',
  ruler: 'M2.5 13.5V9M5.3 13.5V5M8 13.5v-11M10.8 13.5V7M13.5 13.5v-3',
  plots: 'M2 13.5h12M4 13.5V8M7 13.5V3.5M10 13.5V6M13 13.5V9.5',
  zoomIn: 'M11.2 7a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 0 1 8.4 0zM10.2 10.2l3.3 3.3M7 5v4M5 7h4',
  zoomOut: 'M11.2 7a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 0 1 8.4 0zM10.2 10.2l3.3 3.3M5 7h4',
  window: 'M9 2.5h4.5V7M13.5 2.5 8 8M11.5 9.5v4h-9v-9h4',
  lock: 'M4 7h8v6.5H4zM5.5 7V4.8a2.5 2.5 0 0 1 5 0V7',
  table: 'M2.5 3h11v10h-11zM2.5 6.3h11M2.5 9.6h11M6.2 3v10',
  solo: 'M12.5 8a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0zM9.4 8a1.4 1.4 0 1 1-2.8 0 1.4 1.4 0 0 1 2.8 0z',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  push: 'M2 8h8M7 5l3 3-3 3M13.5 3v10',
  pin: 'M9.5 2 14 6.5l-1.8.5-2.7 2.7-.5 3.3L3 7l3.3-.5L9 3.8zM5.8 10.2 2.5 13.5',
  drop: 'M8 1.8c2.6 3.2 4.2 5.4 4.2 7.6a4.2 4.2 0 0 1-8.4 0C3.8 7.2 5.4 5 8 1.8z',
  flag: 'M3.5 14V2.5h8.5L10 5.5l2 3H3.5',
  compare: 'M2 3.5h5v9H2zM9 3.5h5v9H9zM9.8 8h3.4',
  term: 'm3 4.5 3.5 3.5L3 11.5M8.5 12h5',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, small = false }: { readonly name: IconName; readonly small?: boolean }) {
  return (
    <svg class={small ? 'icon icon-s' : 'icon'} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Logo() {
  return (
    <svg class="logo-mark" viewBox="0 0 22 22" aria-hidden="true">
      <path d="M2.5 15.5 7 6l4 8 4-11 4.5 12.5" />
      <circle cx="7" cy="6" r="1.6" />
      <circle cx="15" cy="3.4" r="1.6" />
    </svg>
  );
}

/** Shows a state by shape as well as colour: ▲ error, ◆ warning, ● info, ✓ ok. */
export function StateShape({ kind }: { readonly kind: 'error' | 'warning' | 'info' | 'ok' }) {
  return (
    <svg class={`shape shape-${kind}`} viewBox="0 0 8 8" aria-hidden="true">
      {kind === 'error' && <path d="M4 .6 7.8 7.4H.2z" />}
      {kind === 'warning' && <path d="M4 0 8 4 4 8 0 4z" />}
      {kind === 'info' && <circle cx="4" cy="4" r="3.4" />}
      {kind === 'ok' && <path d="M.8 4.2 3.2 6.6 7.4 1.6" />}
    </svg>
  );
}
