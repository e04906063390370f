/** Installs a Debian package if the system is Debian, the user is root and the machine is disposable (CI or a container).
 *  @returns true if apt-get installed it */
export function installPackage(name: string): boolean;
