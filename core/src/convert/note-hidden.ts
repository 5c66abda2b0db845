/** Tells of messages of the assistant that a request would show to users. */
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import type { LossList } from './loss.ts'

/** Notes that a message on `channel` is left out, which users do not see and a request could only show. */
export function noteHidden(channel: string, range: Range | undefined, losses: LossList): void {
  const message =
    channel === 'commentary'
      ? localize`Commentary that users do not see is left out`
      : localize`A message on the unknown channel \`${channel}\`, which users do not see, is left out`
  losses.add('hidden-message', message, range)
}
