/** Findings of rules that may find something in every message of a document: most of them are only counted. */
import type { Finding } from './rule.ts'

/** A finding that `make` puts into words and places when someone reads it, once. */
export function onDemand(make: () => Finding): Finding {
  return new FindingOnDemand(make)
}

/** Its parts are on the prototype: a closure for each of them would take a hundred megabytes in a long document. */
class FindingOnDemand implements Finding {
  #make: (() => Finding) | undefined
  #made: Finding | undefined

  constructor(make: () => Finding) {
    this.#make = make
  }

  get span() {
    return this.#finding.span
  }

  get message() {
    return this.#finding.message
  }

  // A property that is undefined is as one that is not there.

  get severity() {
    return this.#finding.severity as Exclude<Finding['severity'], undefined>
  }

  get related() {
    return this.#finding.related as Exclude<Finding['related'], undefined>
  }

  get fixes() {
    return this.#finding.fixes as Exclude<Finding['fixes'], undefined>
  }

  get #finding(): Finding {
    if (this.#make) this.#made = this.#make()
    this.#make = undefined
    return this.#made as Finding
  }
}
