/** The channels (2.2 §5). */
import type { Word } from './roles.ts'

/** Where a message goes: private reasoning, tool traffic, or the answer. */
export type Channel = 'analysis' | 'commentary' | 'final'

/** The channels, most private first. */
export const channels: readonly Word<Channel>[] = [
  {
    name: 'analysis',
    summary: 'Private reasoning and calls of built-in tools',
    visibility: 'Never shown to users, regardless of the author.',
    section: '2.2 §5',
  },
  {
    name: 'commentary',
    summary: 'Tool calls, tool replies, and preambles',
    visibility: 'Hidden, except for an assistant message with `intent=preamble` that calls no tool.',
    section: '2.2 §5',
  },
  {
    name: 'final',
    summary: 'The polished answer',
    visibility:
      'Shown to users when the user or the assistant wrote it. The default when no channel is given.',
    section: '2.2 §5',
  },
]

/** The channel of reasoning, which is private regardless of its author. */
export const reasoningChannel: Channel = 'analysis'

/** The channel of calls and replies. */
export const toolChannel: Channel = 'commentary'

/** The channel of answers. */
export const answerChannel: Channel = 'final'

/** The channel of a message that names none (2.2 §5). */
export const defaultChannel: Channel = answerChannel

const channelByName: ReadonlyMap<string, Channel> = new Map(channels.map(({ name }) => [name, name]))

/** The channel that `word` denotes, or undefined for an unknown one. */
export function channelOf(word: string): Channel | undefined {
  return channelByName.get(word)
}
