import { SceneClaim } from './scene-claim.ts';

/** The scene's owner as this page knows it. */
export const { owner, ownAction, causedHere } = new SceneClaim(() => performance.now());
