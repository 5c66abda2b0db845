/** OpenChatML 1.x and 0.1 with `<|im_start|>` framing, fill-in-the-middle tasks and multi-file sequences (D3). */
import { framing } from './framing.ts'
import { ControlKind, type ControlToken, thoughtTokens } from './tokens.ts'

/** Marks where a sequence starts; optional and never content. It does not begin with `<|`. */
export const sequenceStart = '[BOS]'
/** Marks where a sequence ends; optional and never content. It does not begin with `<|`. */
export const sequenceEnd = '[EOS]'

/** The framing of OpenChatML 0.1 (0.1 §2). */
export const chatml = framing({
  name: 'chatml',
  dialect: '1.x',
  tokens: [
    {
      text: '<|im_start|>',
      kind: ControlKind.start,
      summary: 'Opens a message (0.1)',
      documentation: 'The role follows immediately, optionally `name=`, then a line break and the body.',
      section: '0.1 §3',
    },
    {
      text: '<|im_end|>',
      kind: ControlKind.end,
      summary: 'Closes a message (0.1)',
      documentation: 'The only terminator of 0.1.',
      section: '0.1 §3',
    },
    ...thoughtTokens.map((token) => ({ ...token, section: '0.1 §4' })),
    flag('<|reflect|>'),
    flag('<|introspect|>'),
    flag('<|reason|>'),
    {
      text: '<|function_list|>',
      kind: ControlKind.functionList,
      summary: 'Introduces tool definitions as JSON (0.1)',
      documentation: 'Appears in the system message; the objects follow.',
      section: '0.1 §8.1',
    },
    {
      text: '<|function_call|>',
      kind: ControlKind.functionCall,
      summary: 'Introduces a tool call as JSON (0.1)',
      documentation: 'An object with `name` and `arguments` follows. Never shown to users.',
      section: '0.1 §8.2',
    },
    {
      text: '<|function_output|>',
      kind: ControlKind.functionOutput,
      summary: "Introduces a tool's reply as JSON (0.1)",
      documentation: 'An object with `name` and `content` follows. Never shown to users.',
      section: '0.1 §8.3',
    },
    fim('<|fim_prefix|>', ControlKind.fimPrefix, 'The text before the cursor follows'),
    fim('<|fim_middle|>', ControlKind.fimMiddle, 'The place to fill in, and what was filled in'),
    fim('<|fim_suffix|>', ControlKind.fimSuffix, 'The text after the cursor follows'),
    {
      text: '<|file_separator|>',
      kind: ControlKind.fileSeparator,
      summary: 'Separates the files of a multi-file sequence (0.1)',
      documentation: 'Text before the first separator is the first file; a leading separator starts it.',
      section: '0.1 §7',
    },
    {
      text: sequenceStart,
      kind: ControlKind.sequenceStart,
      summary: 'Start of the sequence (0.1)',
      documentation: 'Optional, and never part of the content.',
      section: '0.1 §2',
    },
    {
      text: sequenceEnd,
      kind: ControlKind.sequenceEnd,
      summary: 'End of the sequence (0.1)',
      documentation: 'Optional, and never part of the content.',
      section: '0.1 §2',
    },
  ],
  openers: [
    '<|im_start|>',
    sequenceStart,
    '<|fim_prefix|>',
    '<|fim_middle|>',
    '<|fim_suffix|>',
    '<|file_separator|>',
  ],
  hasEscapes: false,
  roles: ['system', 'tool', 'user', 'assistant'],
  attributes: ['name'],
  headerEnd: 'line-break',
})

function flag(text: string): ControlToken {
  return {
    text,
    kind: ControlKind.thoughtFlag,
    summary: 'Asks the model to write the thought block with this name (0.1)',
    documentation: 'Appears in the system message.',
    section: '0.1 §4',
  }
}

function fim(text: string, kind: ControlKind, summary: string): ControlToken {
  return {
    text,
    kind,
    summary,
    documentation:
      'A fill-in-the-middle task needs a prefix, a middle, and a suffix. The last two can be in either order.',
    section: '0.1 §6',
  }
}
