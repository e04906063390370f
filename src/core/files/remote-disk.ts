import { statfs } from 'node:fs/promises';

/** Numbers by which Linux tells file systems that other machines write to, too: nfs, cifs, smb2, smb, fuse (sshfs and
 *  the like), 9p, ceph, lustre. */
const REMOTE = new Set([0x6969, 0xff534d42, 0xfe534d42, 0x517b, 0x65735546, 0x01021997, 0x00c36400, 0x0bd00bd0]);

/** Whether changes in a folder may be made by other machines, of which the system does not tell. */
export async function isRemote(folder: string): Promise<boolean> {
  try {
    return REMOTE.has((await statfs(folder)).type >>> 0);
  } catch {
    return false; // Whoever lists it will say what is wrong.
  }
}
