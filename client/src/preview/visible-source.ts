/** The visible messages of a transcript. */
import {
  type AnalysisChange,
  type Document,
  factsOf,
  isVisible,
  type ParseOptions,
  type Segment,
  type VisibleMessage,
  visibleMessageOf,
} from '../../../core/src/internal.ts'
import { HiddenCounter } from './message-group.ts'
import type { MessageSource, Summary } from './preview-session.ts'
import { type MessageKind, TranscriptSource } from './transcript-source.ts'

/** Reads `text`. A keystroke parses the edited message only. */
export function parseVisible(
  text: string,
  options: ParseOptions = {},
  touch?: () => void,
): MessageSource<VisibleMessage> {
  return new TranscriptSource(text, options, new VisibleKind(), touch)
}

class VisibleKind implements MessageKind<VisibleMessage> {
  readonly hasPrompt = false
  readonly read = visibleMessageOf
  readonly #counter = new HiddenCounter()

  includes(segment: Segment): boolean {
    const facts = factsOf(segment)
    return facts !== undefined && isVisible(facts)
  }

  partnerOf(): undefined {
    return undefined
  }

  get summary(): Summary {
    return this.#counter.counts
  }

  changed(document: Document, change: AnalysisChange | undefined): void {
    if (change) this.#counter.update(change)
    else this.#counter.read(document)
  }
}
