import { decodeModel, decodeTerrain } from '../../../src/protocol/binaries.ts';
import { decodeFrame } from '../../../src/protocol/frame.ts';
import type { SceneModel } from '../../../src/protocol/schemas/robots.ts';
import { buildGeometry } from './geometry/build-geometry.ts';
import type { FromScene, ToScene } from './messages.ts';
import { Viewer } from './viewer.ts';

/** Global scope of the drawing thread. A slow picture in this thread does not delay the frames or input of the page. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<ToScene>) => void) | null;
  postMessage(message: FromScene, transfer: Transferable[]): void;
}
const scope = globalThis as unknown as WorkerScope;
const post = (message: FromScene, transfer: Transferable[] = []): void => scope.postMessage(message, transfer);

let viewer: Viewer | null = null;

function start(message: ToScene & { type: 'start' }): void {
  try {
    viewer = new Viewer(message.canvas, message.size, message.theme, message.reducedMotion, post);
    post({ type: 'ready' });
  } catch (error) {
    post({ type: 'failed', detail: error instanceof Error ? error.message : String(error) });
  }
}

let newest: SceneModel | null = null;

async function showModel(drawing: Viewer, { model, binary, textures }: ToScene & { type: 'model' }): Promise<void> {
  newest = model;
  try {
    const decoded = decodeModel(binary);
    const dress = model.geoms.some((geom) => geom.texture !== null)
      ? await (await import('./geometry/dress.ts')).loadDress(model, decoded, textures)
      : undefined;
    if (model !== newest) return;
    const geometry = buildGeometry(model, decoded, dress);
    const bodies = model.bodies.map((body) => body.name);
    drawing.setModel({ robot: model.robot, bodies, geometry, version: model.version });
    post({ type: 'model-shown', version: model.version });
  } catch (error) {
    post({ type: 'model-failed', detail: error instanceof Error ? error.message : String(error) });
  }
}

type FromPointer = Extract<
  ToScene,
  { type: 'follow' | 'frame-all' | 'snap' | 'place' | 'drag' | 'zoom' | 'focus' | 'pick' | 'hover' }
>;

/** Handles what moves the camera, and what a person points at. */
function handlePointer(drawing: Viewer, message: FromPointer): void {
  switch (message.type) {
    case 'follow':
      drawing.setFollow(message.mode);
      break;
    case 'frame-all':
      drawing.frameAll();
      break;
    case 'snap':
      drawing.snap(message.axis);
      break;
    case 'place':
      drawing.placeCamera(message.place);
      break;
    case 'drag':
      drawing.drag(message.dx, message.dy, message.pan);
      break;
    case 'zoom':
      drawing.zoom(message.factor);
      break;
    case 'focus':
      drawing.focus(message.x, message.y);
      break;
    case 'pick':
      drawing.pick(message.x, message.y);
      break;
    case 'hover':
      drawing.hover(message.at);
      break;
    default:
      message satisfies never;
  }
}

function handle(drawing: Viewer, message: Exclude<ToScene, { type: 'start' }>): void {
  switch (message.type) {
    case 'frame':
      drawing.takeFrame(decodeFrame(message.bytes));
      post({ type: 'taken' });
      break;
    case 'model':
      void showModel(drawing, message);
      break;
    case 'terrain':
      drawing.setTerrain(decodeTerrain(message.binary));
      break;
    case 'wiring':
      drawing.setWiring(message.wired);
      break;
    case 'theme':
      drawing.restyle(message.theme);
      break;
    case 'resize':
      drawing.resize(message.size);
      break;
    case 'inset':
      drawing.setInset(message.left, message.right);
      break;
    case 'look':
      drawing.setLook(message.look);
      break;
    case 'capture':
      drawing.capture(message.order);
      break;
    case 'record':
      drawing.record(message.order);
      break;
    case 'copy-taken':
      drawing.copyTaken();
      break;
    case 'skeleton':
      drawing.setSkeleton(message.robot, message.version, message.parents);
      break;
    case 'light':
      drawing.light(message.body);
      break;
    default:
      handlePointer(drawing, message);
  }
}

scope.onmessage = ({ data }) => {
  if (data.type === 'start') start(data);
  else if (viewer !== null) handle(viewer, data);
};
