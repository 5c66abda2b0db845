/** What `act` gives, at the last of `attempts` also its failure; `between` clears up what a failed one has left. */
export function patiently<Result>(
  act: () => Promise<Result>,
  options: { readonly attempts: number; readonly between?: () => Promise<unknown> },
): Promise<Result>
