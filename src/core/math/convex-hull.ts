/** Returns the distance of a point from the convex hull of other points; 0 inside the hull.
 *  @param points (n, 2), at least one point */
export function distanceToHull(x: number, y: number, points: readonly number[]): number {
  const [nearestX, nearestY] = nearestInHull(x, y, points);
  return Math.hypot(x - nearestX, y - nearestY);
}

/** Returns the point of the convex hull of other points that is nearest to (x, y): the point itself inside the hull.
 *  @param points (n, 2), at least one point */
export function nearestInHull(x: number, y: number, points: readonly number[]): [x: number, y: number] {
  const hull = convexHull(points);
  const count = hull.length / 2;
  let inside = count > 2;
  let nearest: [number, number] = [hull[0]!, hull[1]!];
  let distance = Number.POSITIVE_INFINITY;
  for (let k = 0; k < count; k += 1) {
    const [ax, ay] = [hull[2 * k]!, hull[2 * k + 1]!];
    const next = 2 * ((k + 1) % count);
    const [dx, dy] = [hull[next]! - ax, hull[next + 1]! - ay];
    if (dx * (y - ay) - dy * (x - ax) < 0) inside = false;
    const along = ((x - ax) * dx + (y - ay) * dy) / Math.max(Number.MIN_VALUE, dx * dx + dy * dy);
    const u = Math.max(0, Math.min(1, along));
    const [px, py] = [ax + u * dx, ay + u * dy];
    const away = Math.hypot(x - px, y - py);
    if (away >= distance) continue;
    distance = away;
    nearest = [px, py];
  }
  return inside ? [x, y] : nearest;
}

/** Returns the corners of the convex hull, counter-clockwise (monotone chain). */
function convexHull(points: readonly number[]): number[] {
  const order = Array.from({ length: points.length / 2 }, (_, k) => k).sort(
    (a, b) => points[2 * a]! - points[2 * b]! || points[2 * a + 1]! - points[2 * b + 1]!,
  );
  const chain = (indices: readonly number[]): number[] => {
    const out: number[] = [];
    for (const k of indices) {
      const [x, y] = [points[2 * k]!, points[2 * k + 1]!];
      while (out.length >= 4 && !isLeft(out, x, y)) out.length -= 2;
      out.push(x, y);
    }
    return out.slice(0, -2);
  };
  const hull = [...chain(order), ...chain(order.reverse())];
  return hull.length === 0 ? points.slice(0, 2) : hull;
}

/** Returns true if a point is to the left of the last edge of a chain. */
function isLeft(chain: readonly number[], x: number, y: number): boolean {
  const at = chain.length - 4;
  const [ax, ay, bx, by] = chain.slice(at) as [number, number, number, number];
  return (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0;
}
