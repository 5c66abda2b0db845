/** The words by which conversations in JSON name who speaks (F9). */

/** What a word says. `call` is a message of the assistant that holds calls and nothing else. */
export type SpokenRole = 'system' | 'developer' | 'user' | 'assistant' | 'tool' | 'call'

const words: Readonly<Record<SpokenRole, readonly string[]>> = {
  system: ['system'],
  developer: ['developer'],
  user: ['user', 'human', 'prompter'],
  assistant: ['assistant', 'gpt', 'chatgpt', 'bot', 'model', 'ai', 'agent'],
  tool: [
    'tool',
    'function',
    'observation',
    'ipython',
    'tool_response',
    'tool_result',
    'toolresult',
    'function_response',
  ],
  call: ['function_call', 'tool_call'],
}

const roleByWord: ReadonlyMap<string, SpokenRole> = new Map(
  Object.entries(words).flatMap(([role, own]) => own.map((word) => [word, role as SpokenRole])),
)

/** Who `word` says is speaking, whatever its case; undefined for an unknown word. */
export function spokenRole(word: string): SpokenRole | undefined {
  return roleByWord.get(word) ?? roleByWord.get(word.toLowerCase())
}

/** The keys under which messages keep reasoning apart from their text (F10), the most frequent first. */
export const reasoningKeys = ['reasoning_content', 'reasoning', 'thinking', 'reasoningContent'] as const
