/** Tells a conversation in JSON from a transcript. */
import { detectForm } from '../../../core/src/index.ts'
import { type Source, shownInput } from './read-source.ts'

/** True for a conversation in one of the forms of JSON; a file must be named for it. */
export function isJsonConversation({ path, text }: Source): boolean {
  if (path !== shownInput && !/\.json$/i.test(path)) return false
  const form = detectForm(text)
  return form !== 'ocm' && form !== 'harmony'
}
