/** The names of hidden texts in which a query found something. */
import { localize } from '../render/page-texts.ts'
import type { HiddenKind } from '../src/datasets/dataset-protocol.ts'

/** Where something was found. */
export function hiddenKindText(kind: HiddenKind): string {
  switch (kind) {
    case 'reasoning':
      return localize`in reasoning`
    case 'call':
      return localize`in a tool call`
    case 'tool':
      return localize`in a tool reply`
    case 'system':
      return localize`in a system message`
    case 'developer':
      return localize`in a developer message`
    case 'user':
    case 'assistant':
      return localize`in hidden text`
  }
}
