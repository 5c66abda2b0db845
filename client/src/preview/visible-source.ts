/** The visible messages of a transcript. */
import {
  factsOf,
  isVisible,
  type ParseOptions,
  type VisibleMessage,
  visibleMessageOf,
} from '../../../core/src/internal.ts'
import type { MessageSource } from './session.ts'
import { type MessageKind, TranscriptSource } from './transcript-source.ts'

/** Reads `text`. A keystroke parses the edited message only. */
export function parseVisible(text: string, options: ParseOptions = {}): MessageSource<VisibleMessage> {
  return new TranscriptSource(text, options, visibleKind)
}

const visibleKind: MessageKind<VisibleMessage> = {
  hasPrompt: false,
  includes(segment) {
    const facts = factsOf(segment)
    return facts !== undefined && isVisible(facts)
  },
  read: visibleMessageOf,
  partnerOf: () => undefined,
}
