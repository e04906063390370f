/** A module of the service could not be loaded: `cause` is the error of Node. */
export class LoadError extends Error {}

/** Loads the code that starts the threads. @throws LoadError */
export async function loadContext() {
  return import('../app/app-context.ts').catch(notLoaded);
}

/** Loads the code of application and gateway part by part. Node reads all modules of one import at once: as one part
 *  they would need 150 open files. @throws LoadError */
export async function loadApp() {
  return loadParts().catch(notLoaded);
}

function notLoaded(cause: unknown): never {
  throw new LoadError('the service could not be loaded', { cause });
}

async function loadParts() {
  const { startGateway } = await import('../gateway/start-gateway.ts');
  await import('../app/data/create-data.ts');
  await import('../app/play/create-play.ts');
  const { createApp } = await import('../app/create-app.ts');
  return { startGateway, createApp };
}
