/** Which messages use which names in their templates, kept up to date with each edit. */
import type { Transcript } from '../document/transcript.ts'
import { isCutOff } from '../embedded/jinja.ts'
import type { Segment } from '../syntax/segment.ts'
import { templateOf } from './template-body.ts'

const none: ReadonlySet<Segment> = new Set()

/** The names that the bodies of a transcript take from outside. Costs the bodies with Jinja; an edit costs the edited messages. */
export class TemplateIndex {
  readonly #users = new Map<string, Set<Segment>>()
  #nIncludes = 0
  #nBroken = 0

  constructor(transcript: Transcript) {
    transcript.forEachSegment((segment) => this.#add(segment))
  }

  /** True if a body includes a part: what that uses is not known here. */
  get hasIncludes(): boolean {
    return this.#nIncludes > 0
  }

  /** True if a body has a tag that is not closed, or more tags than are read: the text after it, with its names, is not read. */
  get hasBroken(): boolean {
    return this.#nBroken > 0
  }

  /** The messages that use `name`. */
  users(name: string): ReadonlySet<Segment> {
    return this.#users.get(name) ?? none
  }

  /** Takes over an edit. */
  update(removed: Iterable<Segment>, inserted: Iterable<Segment>): void {
    for (const segment of removed) this.#remove(segment)
    for (const segment of inserted) this.#add(segment)
  }

  #add(segment: Segment): void {
    const template = templateOf(segment)
    if (!template) return
    this.#nIncludes += template.includes.length
    if (isCutOff(template)) this.#nBroken++
    for (const { name } of template.names) {
      const users = this.#users.get(name)
      if (users) users.add(segment)
      else this.#users.set(name, new Set([segment]))
    }
  }

  #remove(segment: Segment): void {
    const template = templateOf(segment)
    if (!template) return
    this.#nIncludes -= template.includes.length
    if (isCutOff(template)) this.#nBroken--
    for (const { name } of template.names) {
      const users = this.#users.get(name)
      users?.delete(segment)
      if (users?.size === 0) this.#users.delete(name)
    }
  }
}
