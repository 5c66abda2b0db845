/** JSON that is put into a message. */

/**
 * `value` as JSON, in which nothing reads as a control token: what a definition or a call says in words would end the message
 * that it is written into. The sign is spelled in the way of JSON, which means the same in every body and dialect.
 */
export function jsonText(value: NonNullable<unknown> | null): string {
  // Linear: the word after a `<` ends before the next.
  return JSON.stringify(value).replace(/<(?=\|\w+\|>)/g, '\\u003c')
}
