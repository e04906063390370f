/** A module of the service could not be loaded: `cause` is the error of Node. */
export class LoadError extends Error {}

/** Loads the code that starts the threads. @throws LoadError */
export async function loadContext() {
  return import('../app/app-context.ts').catch(notLoaded);
}

/** Loads the code of application and gateway, one after the other: Node 22 aborts if two imports at once wait for the
 *  same module with a top-level `await`. @throws LoadError */
export async function loadApp() {
  const { createApp } = await import('../app/create-app.ts').catch(notLoaded);
  const { startGateway } = await import('../gateway/start-gateway.ts').catch(notLoaded);
  return { createApp, startGateway };
}

function notLoaded(cause: unknown): never {
  throw new LoadError('the service could not be loaded', { cause });
}
