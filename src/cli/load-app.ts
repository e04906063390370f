/** A module of the service could not be loaded: `cause` is the error of Node. */
export class LoadError extends Error {}

/** Loads the code that starts the threads. @throws LoadError */
export async function loadContext() {
  return import('../app/app-context.ts').catch(notLoaded);
}

/** Loads the code of application and gateway. @throws LoadError */
export async function loadApp() {
  return Promise.all([import('../app/create-app.ts'), import('../gateway/start-gateway.ts')]).then(
    ([{ createApp }, { startGateway }]) => ({ createApp, startGateway }),
    notLoaded,
  );
}

function notLoaded(cause: unknown): never {
  throw new LoadError('the service could not be loaded', { cause });
}
