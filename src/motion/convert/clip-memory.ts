/** Limit of the memory kept from one clip to the next. It is enough for minutes of motion; longer clips are rare. */
const KEPT_BYTES = 32 << 20;
/** Views of all element types begin at multiples of this number of bytes. */
const ALIGNMENT = 8;

/** Memory that successive conversions reuse. Allocating new arrays costs as much time as filling them: the system maps
 *  their pages one by one, and the garbage collector runs for them. Use it for one conversion at a time. */
export class ClipMemory {
  #buffer = new ArrayBuffer(0);
  #used = 0;

  /** Reclaims all arrays. References to earlier arrays are then overwritten by the next clip. */
  reuse(): void {
    const wanted = Math.min(KEPT_BYTES, this.#used);
    if (wanted > this.#buffer.byteLength) this.#buffer = new ArrayBuffer(wanted);
    this.#used = 0;
  }

  /** Returns an uninitialised float64 array; the caller writes every element. */
  doubles(count: number): Float64Array<ArrayBuffer> {
    const at = this.#take(count * Float64Array.BYTES_PER_ELEMENT);
    return at === null ? new Float64Array(count) : new Float64Array(this.#buffer, at, count);
  }

  /** Returns an uninitialised float32 array; the caller writes every element. */
  singles(count: number): Float32Array<ArrayBuffer> {
    const at = this.#take(count * Float32Array.BYTES_PER_ELEMENT);
    return at === null ? new Float32Array(count) : new Float32Array(this.#buffer, at, count);
  }

  /** @returns offset in bytes; null if the buffer is too small, in which case `reuse` enlarges it */
  #take(bytes: number): number | null {
    const at = this.#used;
    this.#used += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    return this.#used <= this.#buffer.byteLength ? at : null;
  }
}
