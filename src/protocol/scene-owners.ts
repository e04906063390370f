/** Owners of the scene. */
export const SCENE_OWNERS = ['robots', 'data', 'play', 'import'] as const;
