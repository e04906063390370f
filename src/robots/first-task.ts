/** Returns the name of a robot's first task: `g1` → `Wbc-G1`, `my-robot` → `Wbc-My-Robot`. */
export function firstTaskOf(robot: string): string {
  return `Wbc-${robot.replace(/(^|[._-])([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase())}`;
}
