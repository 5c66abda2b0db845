/** Texts that try to make something slow, for tests of growth and for the benchmark. */

/** Texts that try to make a state of the automaton slow, each of about `size` code units. */
export function hostileTexts(size: number): ReadonlyMap<string, string> {
  return new Map([...hostileTextMakers(size)].map(([name, text]) => [name, text()]))
}

/** As {@link hostileTexts}; a text is made when it is asked for. */
export function hostileTextMakers(size: number): ReadonlyMap<string, () => string> {
  const repeat = (part: string) => part.repeat(Math.max(1, Math.ceil(size / part.length)))
  const numbered = (part: (index: number) => string) =>
    Array.from({ length: Math.max(1, Math.ceil(size / part(10_000).length)) }, (_, index) =>
      part(index),
    ).join('')
  return new Map<string, () => string>([
    ['unclosed literals', () => `<|start|>user<|message|>${repeat('<|literal|>')}`],
    ['unclosed literal per message', () => repeat('<|start|>user<|message|><|literal|>x<|end|>')],
    ['runs of less-than', () => `<|start|>user<|message|>${repeat('<')}`],
    ['token openings without end', () => `<|start|>user<|message|>${repeat('<|')}`],
    ['bare starts', () => repeat('<|start|>')],
    ['headers that never end', () => repeat('<|start|>user ')],
    ['a million attributes', () => `<|start|>user${repeat(' to=f')}<|message|>x<|end|>`],
    ['unknown attributes', () => `<|start|>user${repeat(' a=b')}<|message|>x<|end|>`],
    ['channels without end', () => `<|start|>user${repeat('<|channel|>final')}<|message|>x<|end|>`],
    ['words in a header', () => `<|start|>user${repeat(' word')}<|message|>x<|end|>`],
    ['stray terminators', () => `<|start|>user<|message|>x<|end|>${repeat('<|end|>')}`],
    ['tokens in a body', () => `<|start|>user<|message|>${repeat('<|channel|>')}`],
    ['starts in a body', () => `<|start|>user<|message|>${repeat('<|start|>nobody')}`],
    ['escapes', () => `<|start|>user<|message|>${repeat('<<|end|>')}`],
    ['ends of literals', () => `<|start|>user<|message|>${repeat('<|endliteral|>')}`],
    ['truncated messages', () => repeat('<|start|>user<|message|>x')],
    ['no token at all', () => repeat('lorem ipsum ')],
    ['dashes', () => `---\n${repeat('--\n')}`],
    ['YAML flow', () => `a: ${repeat('[')}`],
    ['YAML aliases', () => `a: &a [x,x,x,x]\n${repeat('b: [*a,*a,*a,*a]\n')}<|start|>user`],
    [
      'deep JSON',
      () => `<|start|>assistant to=f<|channel|>commentary<|constrain|>json<|message|>${repeat('[')}<|call|>`,
    ],
    ['line breaks', () => `<|start|>user<|message|>${repeat('\n')}`],
    ['carriage returns', () => `<|start|>user<|message|>${repeat('\r')}`],
    [
      'duplicate ids',
      () => repeat('<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|message|>{}<|call|>'),
    ],
    ['replies without id', () => repeat('<|start|>tool name=functions.f<|message|>{}<|end|>')],
    [
      'unanswered calls',
      () =>
        repeat(
          '<|start|>assistant to=functions.f<|channel|>commentary<|message|>{}<|call|><|start|>user<|message|>x<|end|>',
        ),
    ],
    [
      'replies before their call',
      () =>
        `${repeat('<|start|>tool name=functions.f call_id=c<|message|>{}<|end|>')}<|start|>assistant to=functions.f call_id=c<|message|>{}<|call|>`,
    ],
    [
      'unknown ids',
      () => numbered((index) => `<|start|>tool name=functions.f call_id=c${index}<|message|>{}<|end|>`),
    ],
    ['open thoughts', () => `<|start|>assistant<|channel|>analysis<|message|>${repeat('<|start_reason|>')}`],
    [
      'tools by the thousand',
      () =>
        `<|start|>developer<|message|># Tools\n\n## functions\n\nnamespace functions {\n\n${numbered((index) => `type tool_${index} = (_: { a: string }) => any;\n\n`)}} // namespace functions<|end|>`,
    ],
    ['0.1 headers', () => repeat('<|im_start|>user ')],
    ['0.1 thoughts', () => `<|im_start|>assistant\n${repeat('<|start_reason|>')}`],
    ['0.1 marks', () => repeat('[BOS][EOS]')],
    ['0.1 files', () => repeat('<|file_separator|>')],
  ])
}
