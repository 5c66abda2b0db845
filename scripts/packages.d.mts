/** Types of `packages.mjs`, for the tests. */

/** Folders with what a package contains. */
export interface StagedPackages {
  readonly extension: string
  readonly npm: string
}

/** Writes both packages as folders in `folder`, which `vsce package` and `npm pack` pack as they are. */
export function stagePackages(folder: string): Promise<StagedPackages>

/** Packs the folders with `vsce package` and `npm pack`, into `folder`. */
export function pack(
  folders: StagedPackages,
  folder: string,
): Promise<{ readonly vsix: string; readonly tarball: string; readonly log: string }>
