// AssemblyScript, compiled by scripts/kernels.mjs: the inner loops of fully connected networks, float32, 4 lanes.
// Functions may have more than five parameters (an override in biome.json), because AssemblyScript has no cheap
// objects. All pointers are byte offsets into the imported memory, 16-byte aligned. Rows are padded to 8 floats; "ld"
// is the distance between rows in bytes. An element is summed over k in ascending order for any number of rows, so the
// result of a row does not depend on the other rows.

/** Columns per packed panel. */
const NR: i32 = 8;
/** Steps of k between two accesses to C, so that one block of a panel stays in the first-level cache. */
const KC: i32 = 512;
/** 1.5 · 2²³: a float32 of this size has no bits for fractions. */
const ROUNDING: f32 = 12582912;

/** sum + a · b. With relaxed SIMD, processors that can do so compute it in one instruction, rounded once. */
function madd(sum: v128, a: v128, b: v128): v128 {
  return ASC_FEATURE_RELAXED_SIMD ? f32x4.relaxed_madd(a, b, sum) : f32x4.add(sum, f32x4.mul(a, b));
}

/** Packs B (k, n) for {@link gemm} into panels of 8 columns, each (k, 8). Columns beyond n are 0.
 *  @param rs @param cs bytes from one row of B to the next, and from one column to the next */
export function packB(k: i32, n: i32, b: usize, rs: i32, cs: i32, out: usize): void {
  for (let j: i32 = 0; j < n; j += NR) {
    const width = min(NR, n - j);
    for (let i: i32 = 0; i < k; i++) {
      const from = b + <usize>(i * rs + j * cs);
      if (width === NR && cs === 4) {
        v128.store(out, v128.load(from));
        v128.store(out, v128.load(from, 16), 16);
      } else {
        for (let c: i32 = 0; c < NR; c++)
          store<f32>(out + <usize>(c << 2), c < width ? load<f32>(from + <usize>(c * cs)) : 0);
      }
      out += 32;
    }
  }
}

/** out (n, m) = transpose of A (m, n). */
export function transpose(m: i32, n: i32, a: usize, lda: i32, out: usize, ldo: i32): void {
  for (let i: i32 = 0; i < m; i++) {
    for (let j: i32 = 0; j < n; j++)
      store<f32>(out + <usize>(j * ldo + (i << 2)), load<f32>(a + <usize>(i * lda + (j << 2))));
  }
}

/** C (m, n) = start + A (m, k) · B. n must be a multiple of 8.
 *  @param b packed by {@link packB} @param start (n) initial value of every row; 0: adds to the values in C */
export function gemm(m: i32, n: i32, k: i32, a: usize, lda: i32, b: usize, start: usize, c: usize, ldc: i32): void {
  // The loop below does not run for k = 0, but the sum of no products is the initial value.
  if (k === 0 && start !== 0)
    for (let i: i32 = 0; i < m; i++) memory.copy(c + <usize>(i * ldc), start, <usize>(n << 2));
  for (let k0: i32 = 0; k0 < k; k0 += KC) {
    const steps = min(KC, k - k0);
    const from = k0 === 0 ? start : 0;
    const ak = a + <usize>(k0 << 2);
    const bk = b + <usize>(k0 << 5);
    const panel = k << 5;
    let i: i32 = 0;
    for (; i + 6 <= m; i += 6) {
      for (let j: i32 = 0; j < n; j += NR) {
        const first = from === 0 ? 0 : from + <usize>(j << 2);
        rows6(
          steps,
          ak + <usize>(i * lda),
          lda,
          bk + <usize>((j >> 3) * panel),
          first,
          c + <usize>(i * ldc + (j << 2)),
          ldc,
        );
      }
    }
    for (; i + 4 <= m; i += 4) {
      for (let j: i32 = 0; j < n; j += NR) {
        const first = from === 0 ? 0 : from + <usize>(j << 2);
        rows4(
          steps,
          ak + <usize>(i * lda),
          lda,
          bk + <usize>((j >> 3) * panel),
          first,
          c + <usize>(i * ldc + (j << 2)),
          ldc,
        );
      }
    }
    for (; i < m; i++) {
      const row = ak + <usize>(i * lda);
      let j: i32 = 0;
      for (; j + 32 <= n; j += 32) {
        const first = from === 0 ? 0 : from + <usize>(j << 2);
        row1x4(steps, row, bk + <usize>((j >> 3) * panel), panel, first, c + <usize>(i * ldc + (j << 2)));
      }
      for (; j < n; j += NR) {
        const first = from === 0 ? 0 : from + <usize>(j << 2);
        row1(steps, row, bk + <usize>((j >> 3) * panel), first, c + <usize>(i * ldc + (j << 2)));
      }
    }
  }
}

function rows6(k: i32, a: usize, lda: i32, b: usize, start: usize, c: usize, ldc: i32): void {
  const a1 = a + lda;
  const a2 = a1 + lda;
  const a3 = a2 + lda;
  const a4 = a3 + lda;
  const a5 = a4 + lda;
  const c1 = c + ldc;
  const c2 = c1 + ldc;
  const c3 = c2 + ldc;
  const c4 = c3 + ldc;
  const c5 = c4 + ldc;
  const own = start === 0;
  let x0 = v128.load(own ? c : start);
  let y0 = v128.load(own ? c : start, 16);
  let x1 = v128.load(own ? c1 : start);
  let y1 = v128.load(own ? c1 : start, 16);
  let x2 = v128.load(own ? c2 : start);
  let y2 = v128.load(own ? c2 : start, 16);
  let x3 = v128.load(own ? c3 : start);
  let y3 = v128.load(own ? c3 : start, 16);
  let x4 = v128.load(own ? c4 : start);
  let y4 = v128.load(own ? c4 : start, 16);
  let x5 = v128.load(own ? c5 : start);
  let y5 = v128.load(own ? c5 : start, 16);
  const end: usize = k << 2;
  for (let at: usize = 0; at < end; at += 4) {
    const p = v128.load(b);
    const q = v128.load(b, 16);
    b += 32;
    let s = v128.load32_splat(a + at);
    x0 = madd(x0, s, p);
    y0 = madd(y0, s, q);
    s = v128.load32_splat(a1 + at);
    x1 = madd(x1, s, p);
    y1 = madd(y1, s, q);
    s = v128.load32_splat(a2 + at);
    x2 = madd(x2, s, p);
    y2 = madd(y2, s, q);
    s = v128.load32_splat(a3 + at);
    x3 = madd(x3, s, p);
    y3 = madd(y3, s, q);
    s = v128.load32_splat(a4 + at);
    x4 = madd(x4, s, p);
    y4 = madd(y4, s, q);
    s = v128.load32_splat(a5 + at);
    x5 = madd(x5, s, p);
    y5 = madd(y5, s, q);
  }
  v128.store(c, x0);
  v128.store(c, y0, 16);
  v128.store(c1, x1);
  v128.store(c1, y1, 16);
  v128.store(c2, x2);
  v128.store(c2, y2, 16);
  v128.store(c3, x3);
  v128.store(c3, y3, 16);
  v128.store(c4, x4);
  v128.store(c4, y4, 16);
  v128.store(c5, x5);
  v128.store(c5, y5, 16);
}

function rows4(k: i32, a: usize, lda: i32, b: usize, start: usize, c: usize, ldc: i32): void {
  const a1 = a + lda;
  const a2 = a1 + lda;
  const a3 = a2 + lda;
  const c1 = c + ldc;
  const c2 = c1 + ldc;
  const c3 = c2 + ldc;
  const own = start === 0;
  let x0 = v128.load(own ? c : start);
  let y0 = v128.load(own ? c : start, 16);
  let x1 = v128.load(own ? c1 : start);
  let y1 = v128.load(own ? c1 : start, 16);
  let x2 = v128.load(own ? c2 : start);
  let y2 = v128.load(own ? c2 : start, 16);
  let x3 = v128.load(own ? c3 : start);
  let y3 = v128.load(own ? c3 : start, 16);
  const end: usize = k << 2;
  for (let at: usize = 0; at < end; at += 4) {
    const p = v128.load(b);
    const q = v128.load(b, 16);
    b += 32;
    let s = v128.load32_splat(a + at);
    x0 = madd(x0, s, p);
    y0 = madd(y0, s, q);
    s = v128.load32_splat(a1 + at);
    x1 = madd(x1, s, p);
    y1 = madd(y1, s, q);
    s = v128.load32_splat(a2 + at);
    x2 = madd(x2, s, p);
    y2 = madd(y2, s, q);
    s = v128.load32_splat(a3 + at);
    x3 = madd(x3, s, p);
    y3 = madd(y3, s, q);
  }
  v128.store(c, x0);
  v128.store(c, y0, 16);
  v128.store(c1, x1);
  v128.store(c1, y1, 16);
  v128.store(c2, x2);
  v128.store(c2, y2, 16);
  v128.store(c3, x3);
  v128.store(c3, y3, 16);
}

/** Computes one row and four panels. Eight independent sums hide the latency of an addition. */
function row1x4(k: i32, a: usize, b: usize, panel: i32, start: usize, c: usize): void {
  const b1 = b + panel;
  const b2 = b1 + panel;
  const b3 = b2 + panel;
  const s0 = start === 0 ? c : start;
  let x0 = v128.load(s0);
  let y0 = v128.load(s0, 16);
  let x1 = v128.load(s0, 32);
  let y1 = v128.load(s0, 48);
  let x2 = v128.load(s0, 64);
  let y2 = v128.load(s0, 80);
  let x3 = v128.load(s0, 96);
  let y3 = v128.load(s0, 112);
  const end: usize = k << 5;
  for (let at: usize = 0; at < end; at += 32) {
    const s = v128.load32_splat(a);
    a += 4;
    x0 = madd(x0, s, v128.load(b + at));
    y0 = madd(y0, s, v128.load(b + at, 16));
    x1 = madd(x1, s, v128.load(b1 + at));
    y1 = madd(y1, s, v128.load(b1 + at, 16));
    x2 = madd(x2, s, v128.load(b2 + at));
    y2 = madd(y2, s, v128.load(b2 + at, 16));
    x3 = madd(x3, s, v128.load(b3 + at));
    y3 = madd(y3, s, v128.load(b3 + at, 16));
  }
  v128.store(c, x0);
  v128.store(c, y0, 16);
  v128.store(c, x1, 32);
  v128.store(c, y1, 48);
  v128.store(c, x2, 64);
  v128.store(c, y2, 80);
  v128.store(c, x3, 96);
  v128.store(c, y3, 112);
}

function row1(k: i32, a: usize, b: usize, start: usize, c: usize): void {
  const s0 = start === 0 ? c : start;
  let x = v128.load(s0);
  let y = v128.load(s0, 16);
  const end: usize = k << 2;
  for (let at: usize = 0; at < end; at += 4) {
    const s = v128.load32_splat(a + at);
    x = madd(x, s, v128.load(b));
    y = madd(y, s, v128.load(b, 16));
    b += 32;
  }
  v128.store(c, x);
  v128.store(c, y, 16);
}

/** out (m, n) = (in − mean) / std; the padding of its rows is 0.
 *  @param input (m, n) without padding @param std with the epsilon */
export function normalise(m: i32, n: i32, input: usize, mean: usize, std: usize, out: usize, ldo: i32): void {
  for (let i: i32 = 0; i < m; i++) {
    const row = out + <usize>(i * ldo);
    for (let j: i32 = 0; j < n; j++) {
      const at: usize = j << 2;
      store<f32>(row + at, (load<f32>(input + at) - load<f32>(mean + at)) / load<f32>(std + at));
    }
    for (let at: i32 = n << 2; at < ldo; at += 4) store<f32>(row + <usize>at, 0);
    input += <usize>(n << 2);
  }
}

// Constants are written as four values and not with `splat`, because V8 then loads them in one instruction.

/** exp(x) − 1, within 1.5 ulp of max(1, result). Uses Cephes' expf: x = n ln 2 + r, and a polynomial in r. */
function expm1(value: v128): v128 {
  const x = f32x4.pmax(f32x4.pmin(value, f32x4(88.02, 88.02, 88.02, 88.02)), f32x4(-87.33, -87.33, -87.33, -87.33));
  // The sum has no bits for fractions, so it rounds; its lowest bits are n.
  const rounded = madd(
    f32x4(ROUNDING, ROUNDING, ROUNDING, ROUNDING),
    x,
    f32x4(Mathf.LOG2E, Mathf.LOG2E, Mathf.LOG2E, Mathf.LOG2E),
  );
  const n = f32x4.sub(rounded, f32x4(ROUNDING, ROUNDING, ROUNDING, ROUNDING));
  let r = madd(x, n, f32x4(-0.693359375, -0.693359375, -0.693359375, -0.693359375));
  r = madd(r, n, f32x4(2.1219444e-4, 2.1219444e-4, 2.1219444e-4, 2.1219444e-4));
  let p = madd(
    f32x4(1.3981999507e-3, 1.3981999507e-3, 1.3981999507e-3, 1.3981999507e-3),
    f32x4(1.98756915e-4, 1.98756915e-4, 1.98756915e-4, 1.98756915e-4),
    r,
  );
  p = madd(f32x4(8.3334519073e-3, 8.3334519073e-3, 8.3334519073e-3, 8.3334519073e-3), p, r);
  p = madd(f32x4(4.1665795894e-2, 4.1665795894e-2, 4.1665795894e-2, 4.1665795894e-2), p, r);
  p = madd(f32x4(1.6666665459e-1, 1.6666665459e-1, 1.6666665459e-1, 1.6666665459e-1), p, r);
  p = madd(f32x4(5.0000001201e-1, 5.0000001201e-1, 5.0000001201e-1, 5.0000001201e-1), p, r);
  p = madd(r, f32x4.mul(p, r), r);
  const scale = i32x4.shl(i32x4.add(rounded, i32x4(127, 127, 127, 127)), 23);
  return madd(f32x4.sub(scale, f32x4(1, 1, 1, 1)), p, scale);
}

/** Applies the activation in place. @param x rows with `count` floats in total, a multiple of 8
 *  @param kind 0 elu, 1 relu, 2 tanh, 3 silu */
export function activate(kind: i32, count: i32, x: usize): void {
  const end = x + <usize>(count << 2);
  const zero = f32x4(0, 0, 0, 0);
  const two = f32x4(2, 2, 2, 2);
  for (; x < end; x += 16) {
    const v = v128.load(x);
    let y = v;
    if (kind === 0) {
      y = v128.bitselect(v, expm1(v), f32x4.gt(v, zero));
    } else if (kind === 1) {
      y = f32x4.max(v, zero);
    } else if (kind === 2) {
      // tanh is 1 in float32 for arguments above 9.
      const e = expm1(f32x4.mul(two, f32x4.max(f32x4.min(v, f32x4(10, 10, 10, 10)), f32x4(-10, -10, -10, -10))));
      y = f32x4.div(e, f32x4.add(e, two));
    } else {
      y = f32x4.div(v, f32x4.add(expm1(f32x4.neg(v)), two));
    }
    v128.store(x, y);
  }
}

/** gradient *= activation'(z), in place. @param y activation(z), but z itself for silu
 *  @param kind as in {@link activate} */
export function activateBack(kind: i32, count: i32, y: usize, gradient: usize): void {
  const end = y + <usize>(count << 2);
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  for (; y < end; y += 16) {
    const v = v128.load(y);
    let slope = one;
    if (kind === 0) {
      slope = v128.bitselect(one, f32x4.add(v, one), f32x4.gt(v, zero));
    } else if (kind === 1) {
      slope = v128.bitselect(one, zero, f32x4.gt(v, zero));
    } else if (kind === 2) {
      slope = f32x4.sub(one, f32x4.mul(v, v));
    } else {
      const s = f32x4.div(one, f32x4.add(expm1(f32x4.neg(v)), f32x4.splat(2)));
      slope = f32x4.mul(s, f32x4.add(one, f32x4.mul(v, f32x4.sub(one, s))));
    }
    v128.store(gradient, f32x4.mul(v128.load(gradient), slope));
    gradient += 16;
  }
}

/** out (n) = sum of the rows of A (m, n), n a multiple of 8. */
export function columnSum(m: i32, n: i32, a: usize, lda: i32, out: usize): void {
  for (let j: i32 = 0; j < n; j += 4) {
    let sum = f32x4.splat(0);
    let at = a + <usize>(j << 2);
    for (let i: i32 = 0; i < m; i++) {
      sum = f32x4.add(sum, v128.load(at));
      at += <usize>lda;
    }
    v128.store(out + <usize>(j << 2), sum);
  }
}

/** Adds pairs of values of each row: out value k = x value first[k] + sign[k] · x value second[k].
 *  @param x (m, …) @param first @param second (count) offsets in a row of x, bytes @param sign (count) float32
 *  @param out (m, …); values after `count` are not written */
export function addPairs(
  m: i32,
  count: i32,
  x: usize,
  ldx: i32,
  first: usize,
  second: usize,
  sign: usize,
  out: usize,
  ldo: i32,
): void {
  const end = <usize>(count << 2);
  for (let i: i32 = 0; i < m; i++) {
    for (let at: usize = 0; at < end; at += 4) {
      const a = load<f32>(x + load<u32>(first + at));
      const b = load<f32>(x + load<u32>(second + at));
      store<f32>(out + at, a + load<f32>(sign + at) * b);
    }
    x += <usize>ldx;
    out += <usize>ldo;
  }
}

/** Writes sums and differences of both halves of each row: out (m, 2 · half) = (x₁ + x₂, x₁ − x₂). `out` may be `x`.
 *  @param half a multiple of 8 */
export function sumsAndDifferences(m: i32, half: i32, x: usize, out: usize): void {
  const other = <usize>(half << 2);
  for (let i: i32 = 0; i < m; i++) {
    for (let at: usize = 0; at < other; at += 16) {
      const a = v128.load(x + at);
      const b = v128.load(x + other + at);
      v128.store(out + at, f32x4.add(a, b));
      v128.store(out + other + at, f32x4.sub(a, b));
    }
    x += 2 * other;
    out += 2 * other;
  }
}

/** Sum of squares of `count` floats, in double precision. */
export function squareSum(count: i32, x: usize): f64 {
  let sum: f64 = 0;
  const end = x + <usize>(count << 2);
  for (; x < end; x += 4) {
    const v = <f64>load<f32>(x);
    sum += v * v;
  }
  return sum;
}

/** Takes one step of Adam over `count` floats, a multiple of 4: θ −= rate · (m / c1) / (√(v / c2) + ε).
 *  @param scale the gradients are multiplied by it first @param c1 @param c2 1 − β^t of the first and second moment */
export function adam(
  count: i32,
  theta: usize,
  gradient: usize,
  m: usize,
  v: usize,
  scale: f32,
  rate: f32,
  beta1: f32,
  beta2: f32,
  epsilon: f32,
  c1: f32,
  c2: f32,
): void {
  const s = f32x4.splat(scale);
  const b1 = f32x4.splat(beta1);
  const b2 = f32x4.splat(beta2);
  const r1 = f32x4.splat(<f32>1 - beta1);
  const r2 = f32x4.splat(<f32>1 - beta2);
  const step = f32x4.splat(rate / c1);
  const root = f32x4.splat(<f32>1 / Mathf.sqrt(c2));
  const eps = f32x4.splat(epsilon);
  const bytes: usize = count << 2;
  for (let at: usize = 0; at < bytes; at += 16) {
    const g = f32x4.mul(v128.load(gradient + at), s);
    const m1 = f32x4.add(f32x4.mul(b1, v128.load(m + at)), f32x4.mul(r1, g));
    const v1 = f32x4.add(f32x4.mul(b2, v128.load(v + at)), f32x4.mul(r2, f32x4.mul(g, g)));
    v128.store(m + at, m1);
    v128.store(v + at, v1);
    const down = f32x4.add(f32x4.mul(f32x4.sqrt(v1), root), eps);
    v128.store(theta + at, f32x4.sub(v128.load(theta + at), f32x4.div(f32x4.mul(step, m1), down)));
  }
}
