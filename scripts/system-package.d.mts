/** Installs a Debian package where this is Debian, the user is root and the machine is a throw-away one.
 *  @returns whether apt-get installed it */
export function installPackage(name: string): boolean;
