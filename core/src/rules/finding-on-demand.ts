/** Findings of rules that may find something in every message of a document: most of them are only counted. */
import type { Finding } from './rule.ts'

/** A finding that `make` puts into words and places when someone reads it, once. */
export function onDemand(make: () => Finding): Finding {
  let made: Finding | undefined
  const finding = () => {
    made ??= make()
    return made
  }
  return {
    get span() {
      return finding().span
    },
    get message() {
      return finding().message
    },
    get severity() {
      return finding().severity
    },
    get related() {
      return finding().related
    },
    get fixes() {
      return finding().fixes
    },
  } as Finding // a property that is undefined is as one that is not there
}
