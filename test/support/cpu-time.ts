/** @returns CPU time of this process during `work`, ms. Unlike a duration, it hardly depends on the machine's load.
 *  The time of other threads of this process is included. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
