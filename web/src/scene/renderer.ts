import { NeutralToneMapping, PCFShadowMap, VSMShadowMap, WebGLRenderer } from 'three';

export interface Drawing {
  readonly renderer: WebGLRenderer;
  /** whether the renderer runs on the CPU; if so, moving pictures start at the coarsest level */
  readonly software: boolean;
}

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Returns the driver's name of the renderer; null without WebGL 2. */
function driverName(): string | null {
  const probe = new OffscreenCanvas(1, 1).getContext('webgl2');
  if (probe === null) return null;
  const info = probe.getExtension('WEBGL_debug_renderer_info');
  const name = String(probe.getParameter(info === null ? probe.RENDERER : info.UNMASKED_RENDERER_WEBGL));
  probe.getExtension('WEBGL_lose_context')?.loseContext();
  return name;
}

/** Creates the renderer of the scene. @throws Error if WebGL 2 is not available */
export function createRenderer(canvas: OffscreenCanvas): Drawing {
  const driver = driverName();
  if (driver === null) throw new Error('WebGL 2 is not available');
  const software = SOFTWARE.test(driver);
  const renderer = new WebGLRenderer({
    canvas,
    alpha: true, // for pictures with a transparent background; in the scene, the sky covers every px
    antialias: !software,
    powerPreference: 'high-performance',
  });
  renderer.setClearAlpha(0);
  renderer.shadowMap.enabled = true;
  // On a software renderer, blurring a variance shadow takes as long as the rest of the picture.
  renderer.shadowMap.type = software ? PCFShadowMap : VSMShadowMap;
  renderer.toneMapping = NeutralToneMapping;
  renderer.debug.checkShaderErrors = false; // reading the shader log would wait for the compiler
  return { renderer, software };
}

/** Reports when the graphics hardware has finished the issued commands, without blocking. */
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

  /** Returns whether all issued commands have finished. */
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
