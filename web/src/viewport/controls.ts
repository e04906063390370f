export interface ControlHandlers {
  /** movement since the last call, px */
  readonly drag: (dx: number, dy: number, pan: boolean) => void;
  readonly zoom: (factor: number) => void;
  /** a click without a drag, px in the canvas */
  readonly click: (x: number, y: number) => void;
  readonly focus: (x: number, y: number) => void;
  /** px in the canvas; null when the pointer has left or is dragging */
  readonly hover: (at: { x: number; y: number } | null) => void;
}

/** Exponent of the zoom factor per px of wheel travel. A wheel notch of 100 px changes the distance by about an
 *  eighth. */
const WHEEL = 0.0012;
const LINE_PX = 32;
/** Releasing a button closer than this to where it was pressed is a click, px. */
const CLICK_PX = 4;

/** Handles mouse, pen and touch on the canvas. One finger or the left button orbits. Two fingers, the right or middle
 *  button, or Shift pan. Wheel and pinch zoom; a double click focuses. @returns removes the listeners */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: all listeners share the state of one gesture
export function attachControls(canvas: HTMLCanvasElement, handlers: ControlHandlers): () => void {
  const pointers = new Map<number, { x: number; y: number }>();
  let pan = false;
  let pressed: { readonly x: number; readonly y: number } | null = null;
  const stop = new AbortController();
  const options = { signal: stop.signal };

  canvas.addEventListener(
    'pointerdown',
    (event) => {
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      pressed = event.button === 0 && pointers.size === 1 ? { x: event.clientX, y: event.clientY } : null;
      pan = event.button === 2 || event.button === 1 || event.shiftKey;
      handlers.hover(null);
    },
    options,
  );
  canvas.addEventListener(
    'pointermove',
    (event) => {
      const former = pointers.get(event.pointerId);
      if (former === undefined) {
        const box = canvas.getBoundingClientRect();
        handlers.hover({ x: event.clientX - box.left, y: event.clientY - box.top });
        return;
      }
      const dx = event.clientX - former.x;
      const dy = event.clientY - former.y;
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      if (other === undefined) handlers.drag(dx, dy, pan);
      else {
        const before = Math.hypot(former.x - other.x, former.y - other.y);
        const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
        handlers.drag(dx / 2, dy / 2, true); // each of the two fingers reports half of the movement
        if (before > 8 && after > 8) handlers.zoom(before / after);
      }
      former.x = event.clientX;
      former.y = event.clientY;
    },
    options,
  );
  const end = (event: PointerEvent) => {
    pointers.delete(event.pointerId);
    if (pointers.size > 0) pan = false;
  };
  canvas.addEventListener(
    'pointerup',
    (event) => {
      end(event);
      if (pressed === null || Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > CLICK_PX) return;
      const box = canvas.getBoundingClientRect();
      handlers.click(event.clientX - box.left, event.clientY - box.top);
    },
    options,
  );
  canvas.addEventListener('pointercancel', end, options);
  canvas.addEventListener('pointerleave', () => handlers.hover(null), options);
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const px = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * LINE_PX : event.deltaY;
      handlers.zoom(Math.exp(Math.min(400, Math.max(-400, px)) * WHEEL));
    },
    { signal: stop.signal, passive: false },
  );
  canvas.addEventListener('contextmenu', (event) => event.preventDefault(), options);
  canvas.addEventListener(
    'dblclick',
    (event) => {
      const box = canvas.getBoundingClientRect();
      handlers.focus(event.clientX - box.left, event.clientY - box.top);
    },
    options,
  );
  return () => stop.abort();
}
