/**
 * The `console` of every bundle: it prints nothing, and stays that way. A library that prints would write what a transcript
 * says into a result, into messages of the language server, or into a log. Our own code has other places to write to.
 */
const ignore = () => undefined

export const silentConsole = new Proxy(Object.freeze({}), {
  get: () => ignore,
  set: () => true, // nor may a library put a console of its own here
})
