/** Writes what the build ships of the built-in robot: its clips and the compiled robot. The first start in a workspace
 *  copies them, instead of 2 s of computing. The build runs this script once the modules in `dist` are complete.
 *  Usage: `node scripts/builtin-data.mjs FOLDER` */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { generateClips } from '../dist/cli/builtin-clips.js';
import { prepareRobot } from '../dist/robots/prepared-robot.js';
import { BUILTIN } from '../dist/robots/robot-source.js';

const [folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
await prepareRobot(BUILTIN, path.join(folder, 'robots'));
writeFileSync(path.join(folder, 'samples.json'), JSON.stringify(Object.fromEntries(await generateClips())));
