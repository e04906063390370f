const SIDES = {
  left: /(?:^|[_\W])(?:left|l|fl|rl|hl|bl|lf|lh)(?=[_\W]|\d|$)|left/i,
  right: /(?:^|[_\W])(?:right|r|fr|rr|hr|br|rf|rh)(?=[_\W]|\d|$)|right/i,
};

/** Returns the side that a body's name states; null if the name states neither or both sides. */
export function sideOf(name: string): 'left' | 'right' | null {
  const left = SIDES.left.test(name);
  if (left === SIDES.right.test(name)) return null;
  return left ? 'left' : 'right';
}
