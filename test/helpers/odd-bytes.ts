/** Files with bytes that editors and programs like to change, and what they should be after a command that changes a part. */
import assert from 'node:assert/strict'
import fc from 'fast-check'

const lineBreak = fc.constantFrom('\n', '\r\n', '\r')
/** Bytes that are not UTF-8. */
export const invalid = fc.constantFrom([0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf0, 0x9f], [0xc0, 0x80])

/** Text that editors and programs like to change, before a control token or the end. */
export const oddText = fc
  .array(
    fc.oneof(
      lineBreak,
      fc.constantFrom(
        'a',
        ' ',
        '\t',
        '  ',
        'é',
        'e\u0301',
        '😀',
        '\0',
        '\v',
        '\f',
        '\x85',
        '\u2028',
        '\u2029',
      ),
      fc.constantFrom(
        '\ufeff',
        '\u00ad',
        '\u200b',
        '\x1b[31m',
        '\\',
        '"',
        '<',
        '|>',
        '---',
        'a'.repeat(70_000),
      ),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join('').replace(/<$/, '<.')) // `<<|end|>` would be text

const mark = fc.constantFrom('', '\ufeff')

/** Files, by their bytes, and what they should be afterwards. */
export interface Expected {
  readonly before: Buffer
  readonly after: Buffer
}

/**
 * A transcript with messages that `loose` makes wrong and `tight` right, and between them `between` or a line break; one that is
 * not UTF-8 stays as it is.
 */
export function oddTranscript(
  loose: string,
  tight: string,
  between: fc.Arbitrary<string | undefined>,
): fc.Arbitrary<Expected> {
  const message = fc.tuple(fc.constantFrom(loose, tight), oddText, between)
  const parts = fc.tuple(mark, lineBreak, fc.array(message, { maxLength: 5 }), oddText, fc.option(invalid))
  return parts.map(([mark, first, messages, last, wrong]) => {
    const text = (spelling?: string) =>
      `${mark}version: 2.2${first}${messages
        .map(([head, body, after]) => `<|start|>assistant${spelling ?? head}${body}<|end|>${after ?? first}`)
        .join('')}<|start|>user<|message|>${last}<|return|>${first}`
    const end = Buffer.from(wrong ?? [])
    const [before, after] = [text(), text(tight)].map((it) => Buffer.concat([Buffer.from(it), end]))
    assert.ok(before && after)
    return { before, after: wrong ? before : after }
  })
}

/** What is to be redacted. */
export const secret = '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'

/** The inside of a string in JSON. */
const oddString = fc
  .array(
    fc.constantFrom(
      ...['a', ' ', 'é', '\\u00e9', '\\/', '\\\\', '\\"', '\\r\\n', '\\u0000', '😀', '\\uD83D\\uDE00'],
      ...['\u2028', '\x85', '\ufeff', '\\ud800', '\x7f', 'a'.repeat(70_000)],
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(''))

const space = fc.constantFrom('', ' ', '\t', '  ')
const number = fc.constantFrom('1', '1.0', '1e400', '-0', '12345678901234567890', '0.50', '1E2')

const goodLine = fc
  .tuple(space, number, oddString, fc.constantFrom('', ` ${secret} `), oddString, oddString)
  .map(([space, number, before, middle, after, other]) => {
    const content = `${before}${middle}${after}`
    return `{${space}"id":${number},${space}"messages":[{"role":"user",${space}"content":"${content}"}],"k":"${other}","k":${number}}${space}`
  })

const brokenLine = fc.constantFrom('', ' ', '{"broken', secret, `{"messages":"${secret}"`, '[]', 'null')

/** A dataset, and the same with the secrets of its good samples redacted. */
export const oddDataset: fc.Arbitrary<Expected> = fc
  .tuple(
    mark,
    fc.array(
      fc.tuple(
        fc.oneof(
          goodLine.map((line) => ({ line: Buffer.from(line), isGood: true })),
          brokenLine.map((line) => ({ line: Buffer.from(line), isGood: false })),
          fc.tuple(goodLine, invalid).map(([line, wrong]) => ({
            line: Buffer.concat([
              Buffer.from(line.slice(0, -3)),
              Buffer.from(wrong),
              Buffer.from(line.slice(-3)),
            ]),
            isGood: false,
          })),
        ),
        fc.constantFrom('\n', '\r\n', '\n\n'),
      ),
      { minLength: 1, maxLength: 5 },
    ),
    fc.boolean(),
    goodLine, // which files are recognized by
  )
  .map(([mark, lines, hasEnd, first]) => {
    const file = (isAfter: boolean) =>
      Buffer.concat([
        Buffer.from(`${mark}${isAfter ? first.replaceAll(secret, '[REDACTED]') : first}\n`),
        ...lines.flatMap(([{ line, isGood }, end], index) => [
          isAfter && isGood ? Buffer.from(line.toString().replaceAll(secret, '[REDACTED]')) : line,
          Buffer.from(index < lines.length - 1 || hasEnd ? end : ''),
        ]),
      ])
    return { before: file(false), after: file(true) }
  })
