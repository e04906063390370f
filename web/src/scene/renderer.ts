import { NeutralToneMapping, PCFShadowMap, VSMShadowMap, WebGLRenderer } from 'three';

export interface Drawing {
  readonly renderer: WebGLRenderer;
  /** drawn by the processor: pictures are coarse while they move */
  readonly software: boolean;
}

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** What draws, by the driver's own name; null where there is no WebGL 2. */
function driverName(): string | null {
  const probe = new OffscreenCanvas(1, 1).getContext('webgl2');
  if (probe === null) return null;
  const info = probe.getExtension('WEBGL_debug_renderer_info');
  const name = String(probe.getParameter(info === null ? probe.RENDERER : info.UNMASKED_RENDERER_WEBGL));
  probe.getExtension('WEBGL_lose_context')?.loseContext();
  return name;
}

/** @throws Error when there is no WebGL 2 */
export function createRenderer(canvas: OffscreenCanvas): Drawing {
  const driver = driverName();
  if (driver === null) throw new Error('WebGL 2 is not available');
  const software = SOFTWARE.test(driver);
  const renderer = new WebGLRenderer({ canvas, antialias: !software, powerPreference: 'high-performance' });
  renderer.shadowMap.enabled = true;
  // blurring a variance shadow takes a software renderer as long as all the rest
  renderer.shadowMap.type = software ? PCFShadowMap : VSMShadowMap;
  renderer.toneMapping = NeutralToneMapping;
  renderer.debug.checkShaderErrors = false; // asking for the log waits for the compiler
  return { renderer, software };
}

/** Tells when the graphics hardware has finished what was issued, without waiting for it. */
export class Fence {
  readonly #gl: WebGL2RenderingContext;
  #sync: WebGLSync | null = null;

  constructor(renderer: WebGLRenderer) {
    this.#gl = renderer.getContext() as WebGL2RenderingContext;
  }

  set(): void {
    if (this.#sync !== null) this.#gl.deleteSync(this.#sync);
    this.#sync = this.#gl.fenceSync(this.#gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    this.#gl.flush();
  }

  /** Whether nothing is under way any more. */
  passed(): boolean {
    if (this.#sync === null) return true;
    if (this.#gl.getSyncParameter(this.#sync, this.#gl.SYNC_STATUS) !== this.#gl.SIGNALED) return false;
    this.#gl.deleteSync(this.#sync);
    this.#sync = null;
    return true;
  }

  forget(): void {
    this.#sync = null;
  }
}
