/** The version of the program. */

/** The version that the build was given, which is that of the package. */
export function programVersion(): string {
  return process.env.PACKAGE_VERSION ?? 'unknown'
}
