import type { LiveFrames } from '../net/live-frames.ts';

/** Distance between the feet and the lower edge of the picture, px. */
const MARGIN = 40;
/** Length in the world that the picture's height covers, m. */
const HEIGHT_M = 2;

/** Draws each robot from the side as lines between its bodies, for browsers without WebGL.
 *  @returns a setter for a model's version and each body's parent index (−1: none), and a function that stops
 *  drawing */
export function startStickFigure(
  canvas: HTMLCanvasElement,
  frames: LiveFrames,
): { setParents: (version: number, parents: readonly number[]) => void; stop: () => void } {
  let version = -1;
  let parents: readonly number[] = [];
  let queued = 0;
  const draw = () => {
    queued = 0;
    const start = performance.now();
    const frame = frames.latest;
    const context = canvas.getContext('2d');
    if (context === null || frame === null) return;
    const ratio = Math.min(2, window.devicePixelRatio);
    canvas.width = canvas.clientWidth * ratio; // also clears the picture
    canvas.height = canvas.clientHeight * ratio;
    if (frame.header.model_version !== version || frame.header.nbody !== parents.length) return;
    context.scale(ratio, ratio);
    const style = getComputedStyle(canvas);
    const scale = (canvas.clientHeight - 2 * MARGIN) / HEIGHT_M;
    const { header, blob } = frame;
    const root = header.poses.offset;
    const ground = canvas.clientHeight - MARGIN;
    const px = (p: number) => canvas.clientWidth / 2 + scale * (blob[p]! - blob[root]!);
    const py = (p: number) => ground - scale * blob[p + 2]!;
    context.strokeStyle = style.getPropertyValue('--vp-major');
    context.beginPath();
    context.moveTo(0, ground);
    context.lineTo(canvas.clientWidth, ground);
    context.stroke();
    context.strokeStyle = style.getPropertyValue('--vp-shell');
    context.lineWidth = 4;
    context.lineCap = 'round';
    context.beginPath();
    for (let k = 0; k < header.n * header.nbody; k++) {
      const parent = parents[k % header.nbody]!;
      if (parent < 0) continue;
      const p = root + 7 * k;
      const q = root + 7 * (k - (k % header.nbody) + parent);
      context.moveTo(px(p), py(p));
      context.lineTo(px(q), py(q));
    }
    context.stroke();
    frames.drew();
    frames.spent(performance.now() - start);
  };
  const request = () => {
    if (queued === 0) queued = requestAnimationFrame(draw);
  };
  const end = frames.listen(request);
  return {
    setParents: (ofVersion, next) => {
      version = ofVersion;
      parents = next;
      request();
    },
    stop: () => {
      end();
      cancelAnimationFrame(queued);
    },
  };
}
