/** @returns CPU time that this process spends in `work`, ms. Unlike a duration it hardly depends on what else the machine
 *  does. Time of other threads of this process counts too. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
