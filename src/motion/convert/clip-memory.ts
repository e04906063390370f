/** More than this is not kept from one clip to the next: minutes of motion fit, hours are rare. */
const KEPT_BYTES = 32 << 20;
/** Views begin at multiples of it, whatever their elements. */
const ALIGNMENT = 8;

/** Memory that one conversion after the other computes in. New arrays cost as much as filling them: the system hands out
 *  their pages one by one, and the collector runs for them. Not for two conversions at a time. */
export class ClipMemory {
  #buffer = new ArrayBuffer(0);
  #used = 0;

  /** Takes back all that was given out: whatever still refers to it sees another clip from now on. */
  reuse(): void {
    const wanted = Math.min(KEPT_BYTES, this.#used);
    if (wanted > this.#buffer.byteLength) this.#buffer = new ArrayBuffer(wanted);
    this.#used = 0;
  }

  /** Doubles of any value: whoever takes them writes all of them. */
  doubles(count: number): Float64Array<ArrayBuffer> {
    const at = this.#take(count * Float64Array.BYTES_PER_ELEMENT);
    return at === null ? new Float64Array(count) : new Float64Array(this.#buffer, at, count);
  }

  /** Singles of any value: whoever takes them writes all of them. */
  singles(count: number): Float32Array<ArrayBuffer> {
    const at = this.#take(count * Float32Array.BYTES_PER_ELEMENT);
    return at === null ? new Float32Array(count) : new Float32Array(this.#buffer, at, count);
  }

  /** @returns null where there is not so much; it will be the next time */
  #take(bytes: number): number | null {
    const at = this.#used;
    this.#used += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    return this.#used <= this.#buffer.byteLength ? at : null;
  }
}
