/** Checks what comes from a page against the fields that its messages have: it is not trusted. */

/** Reads a value; undefined for one that is not as it should be. */
export type Reader<Value> = (value: unknown) => Value | undefined

/** How each field is read. A message may be without a field that is read `ifPresent`. */
export type Fields<Value> = {
  readonly [Name in keyof Value]-?: Pick<Value, Name> extends Required<Pick<Value, Name>>
    ? Reader<Value[Name]>
    : { readonly ifPresent: Reader<Exclude<Value[Name], undefined>> }
}

type OfKind<Message, Kind> = Message extends { readonly kind: infer Own }
  ? Kind extends Own
    ? Omit<Message, 'kind'>
    : never
  : never

/** The fields of each kind of message. */
export type MessageFields<Message extends { readonly kind: string }> = {
  readonly [Kind in Message['kind']]: Fields<OfKind<Message, Kind>>
}

/** `value` as a message of one of the kinds; undefined if it is not one. */
export function messageIn<Message extends { readonly kind: string }>(
  value: unknown,
  kinds: MessageFields<Message>,
): Message | undefined {
  const { kind } = recordIn(value) ?? {}
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind)) return undefined
  const fields = fieldsIn<object>(value, kinds[kind as Message['kind']])
  return fields && ({ kind, ...fields } as Message)
}

/** The fields of `value`; undefined if one of them is not as it should be. */
export function fieldsIn<Value extends object>(value: unknown, fields: Fields<Value>): Value | undefined {
  const record = recordIn(value)
  if (!record) return undefined
  const found: Record<string, unknown> = {}
  for (const [name, field] of Object.entries<Reader<unknown> | { readonly ifPresent: Reader<unknown> }>(
    fields,
  )) {
    const isOptional = typeof field === 'object'
    if (isOptional && record[name] === undefined) continue
    const read = isOptional ? field.ifPresent : field
    found[name] = read(record[name])
    if (found[name] === undefined) return undefined
  }
  return found as Value
}

/** `value` as an object whose fields are not known. */
export function recordIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}

/** Any text. */
export const text: Reader<string> = (value) => (typeof value === 'string' ? value : undefined)

/** A text of at most `length` UTF-16 code units. */
export function textUpTo(length: number): Reader<string> {
  return (value) => (typeof value === 'string' && value.length <= length ? value : undefined)
}

/** A number from 0 on. */
export const number: Reader<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

/** A whole number from 0 on. */
export const count: Reader<number> = (value) =>
  Number.isInteger(value) && (value as number) <= mostCounted ? number(value) : undefined

/** More than a file has of anything, and small enough for sums of such numbers to be exact. */
const mostCounted = 2 ** 32

/** True or false. */
export const flag: Reader<boolean> = (value) => (typeof value === 'boolean' ? value : undefined)

/** One of `values`. */
export function oneOf<Value>(values: readonly Value[]): Reader<Value> {
  return (value) => values.find((it) => it === value)
}
