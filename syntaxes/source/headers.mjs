/**
 * Rules for message headers. What a header says decides the language of its body, and it may say so on several lines,
 * so each word that matters opens a rule that lasts to the end of the message: role, channel, recipient and type nest.
 * The same words exist once per kind of body, because a rule cannot ask which rule it stands in.
 */
import { bodyPatterns } from './bodies.mjs'
import {
  anyOf,
  bareWord,
  blank,
  messages,
  people,
  token,
  toolRole,
  word,
  wordEnd,
  wordStart,
} from './expressions.mjs'

/** The kinds of bodies, and which of them a declared type or recipient can still change. */
const kinds = Object.keys(bodyPatterns)
const kindOfRole = {
  system: 'instructions',
  developer: 'instructions',
  user: 'markdown',
  assistant: 'markdown',
}

/** Known types of a constraint or hint, with media types (D7); `code` leaves the kind of body as it is. */
const types = [
  { kind: 'json', names: ['json'], media: '[^\\s<]*[/+]json' },
  { kind: 'yaml', names: ['yaml'], media: '[^\\s</]*/(?:x-)?yaml' },
  { kind: 'python', names: ['python'], media: 'text/(?:x-)?python' },
  { kind: 'markdown', names: ['markdown'], media: 'text/markdown' },
  { kind: 'text', names: ['text'], media: '[^\\s</]+/[^\\s<]+' },
]
const typeRule = ({ names, media }) => `(?:${names.join('|')}|${media})${wordEnd}`

const channels = ['analysis', 'commentary', 'final']
const intents = ['preamble', 'status', 'debug']
const restOfMessage = `(?=${token('end', 'call', 'return', 'start')})`

const scope = {
  attribute: 'variable.parameter.attribute.openchatml',
  unknownAttribute: 'variable.other.unknown-attribute.openchatml',
  equals: 'punctuation.separator.key-value.openchatml',
  role: 'entity.name.type.role.openchatml',
  tool: 'entity.name.function.tool.openchatml',
  type: 'constant.language.content-type.openchatml',
  value: 'string.unquoted.value.openchatml',
}

/** A rule that lasts to the end of the message and knows that the body is of `kind`. */
function changeTo(kind, isBehindChannel, begin, names) {
  return {
    begin,
    beginCaptures: captures(names),
    end: restOfMessage,
    patterns: [{ include: `#${headerName(kind, isBehindChannel)}` }],
  }
}

function captures(names) {
  return Object.fromEntries(names.map((name, index) => [index + 1, { name }]))
}

function headerName(kind, isBehindChannel) {
  return isBehindChannel ? `header-${kind}-behind-channel` : `header-${kind}`
}

/** The repository of header rules: for every kind of body, before and behind the channel. */
export function headers() {
  const rules = {
    attributes: { patterns: attributes() },
    types: { patterns: typeRules(false) },
    'types-behind-channel': { patterns: typeRules(true) },
  }
  for (const kind of kinds) {
    rules[`body-${kind}`] = body(kind)
    rules[`body-${kind}-lines`] = { patterns: bodyPatterns[kind] }
    rules[headerName(kind, false)] = { patterns: [...header(kind, false), ...channelRules(kind)] }
    rules[headerName(kind, true)] = { patterns: [...header(kind, true), furtherChannel] }
  }
  return rules
}

function body(kind) {
  return {
    begin: token('message'),
    beginCaptures: { 0: { name: 'keyword.control.message.openchatml' } },
    end: `(?=${messages.boundary})`,
    contentName: 'meta.body.openchatml',
    patterns: [{ include: `#body-${kind}-lines` }],
  }
}

function header(kind, isBehindChannel) {
  const patterns = [
    { include: `#body-${kind}` },
    { include: isBehindChannel ? '#types-behind-channel' : '#types' },
  ]
  if (canBeCall(kind)) {
    const to = `${wordStart}(to)(=)`
    const names = [scope.attribute, scope.equals, scope.tool]
    patterns.push(changeTo('python', isBehindChannel, `${to}((?:functions\\.)?python${wordEnd})`, names))
    if (kind === 'markdown') {
      const recipient = `((?!${anyOf([...people, 'all'])}${wordEnd})${word})`
      patterns.push(changeTo('exchange', isBehindChannel, `${to}${recipient}`, names))
    }
  }
  patterns.push({ include: '#attributes' })
  if (isBehindChannel) patterns.push({ match: `${wordStart}code${wordEnd}`, name: scope.type })
  return patterns
}

/** True while no type is declared: a recipient may then still decide the language. */
function canBeCall(kind) {
  return kind === 'exchange' || kind === 'instructions' || kind === 'markdown'
}

/** Declared types: `<|constrain|>json`, `content_type=json`, and the bare `json` behind a channel (D7). */
function typeRules(isBehindChannel) {
  return types.flatMap((type) => [
    changeTo(type.kind, isBehindChannel, `(${token('constrain')})${blank}*(${typeRule(type)})`, [
      'keyword.control.constrain.openchatml',
      scope.type,
    ]),
    changeTo(type.kind, isBehindChannel, `${wordStart}(content_type)(=)(${typeRule(type)})`, [
      scope.attribute,
      scope.equals,
      scope.type,
    ]),
    ...(isBehindChannel
      ? [changeTo(type.kind, true, `${wordStart}(${anyOf(type.names)}${wordEnd})`, [scope.type])]
      : []),
  ])
}

/**
 * A known channel names the rest of the message, so that themes can tell private text from visible text.
 * An unknown one is always an error, unlike unknown roles, attributes and types, which a header or a later version may
 * declare; those stay neutral, and the problems of the language server say more than a colour.
 */
function channelRules(kind) {
  const begin = `(${token('channel')})${blank}*`
  const keyword = 'keyword.control.channel.openchatml'
  const name = 'constant.language.channel.openchatml'
  const known = `(${anyOf(channels)})${wordEnd}`
  const late = {
    name: 'meta.message.$1.openchatml',
    ...changeTo(kind, true, `^${blank}*${known}`, [name]),
  }
  const nothing = changeTo(kind, true, begin, [keyword])
  return [
    { name: 'meta.message.$2.openchatml', ...changeTo(kind, true, `${begin}${known}`, [keyword, name]) },
    changeTo(kind, true, `${begin}(${bareWord})`, [keyword, 'invalid.illegal.unknown-channel.openchatml']),
    { ...nothing, patterns: [late, ...nothing.patterns] },
  ]
}

/** A message has one channel; the first counts (D16). */
const furtherChannel = {
  match: `(${token('channel')})${blank}*(${bareWord})?`,
  captures: captures(['keyword.control.channel.openchatml', 'invalid.illegal.further-channel.openchatml']),
}

/** Words of a header that leave the kind of body as it is. */
function attributes() {
  const attribute = (name, value, valueScope) => ({
    match: `${wordStart}(${name})(=)(${value})`,
    captures: captures([scope.attribute, scope.equals, valueScope]),
  })
  return [
    attribute('to', `${anyOf([...people, 'all'])}${wordEnd}`, scope.role),
    attribute('to|name', toolRole, scope.tool),
    attribute('to', word, scope.tool),
    attribute('intent', `${anyOf(intents)}${wordEnd}`, 'constant.language.intent.openchatml'),
    attribute('content_type', `code${wordEnd}`, scope.type),
    attribute('to|call_id|name|intent|content_type|allow', `(?:${word})?`, scope.value),
    {
      match: `${wordStart}([A-Za-z_][\\w-]*)(=)(${word})?`,
      captures: captures([scope.unknownAttribute, scope.equals, scope.value]),
    },
    {
      match: `(${token('constrain')})${blank}*(?:(code${wordEnd})|(${bareWord}))?`,
      captures: captures(['keyword.control.constrain.openchatml', scope.type, scope.value]),
    },
  ]
}

/** Messages by role. A tool's name may stand in place of a role, and further ones are declared in the YAML header (D5). */
const toolRoles = `(?:tool${wordEnd}|${toolRole}|[A-Za-z_][\\w-]*\\.${word})`
const unknownRoleScope = 'variable.other.unknown-role.openchatml'

/** The rules for messages, by their role. */
export function messageRules() {
  return [
    // Harmony writes a name behind the role: `user:alice`.
    ...Object.entries(kindOfRole).map(([role, kind]) =>
      message(role, `(${role})(:${word})?${wordEnd}`, kind),
    ),
    message('tool', `(${toolRoles})`, 'exchange'),
    message('unknown-role', `(${bareWord})`, 'markdown', unknownRoleScope),
    {
      ...message('unknown-role', '', 'markdown'),
      patterns: [...lateRoles(), { include: '#header-markdown' }],
    },
  ]
}

function message(name, role, kind, roleScope = scope.role) {
  return {
    name: `meta.message.${name}.openchatml`,
    begin: `(${token('start')})${blank}*${role}`,
    beginCaptures: captures(['keyword.control.start.openchatml', roleScope, scope.value]),
    end: `(${token('call')})(${token('end')})?|(${token('end')})|(${token('return')})|(?=${token('start')})`,
    endCaptures: captures(['call', 'end', 'end', 'return'].map((it) => `keyword.control.${it}.openchatml`)),
    patterns: [{ include: `#${headerName(kind, false)}` }],
  }
}

/** Roles on a line behind that of the start token: white space is white space. */
function lateRoles() {
  const role = (kind, expression, roleScope = scope.role) =>
    changeTo(kind, false, `^${blank}*${expression}`, [roleScope])
  return [
    ...Object.entries(kindOfRole).map(([name, kind]) => role(kind, `(${name})${wordEnd}`)),
    role('exchange', `(${toolRoles})`),
    role('markdown', `(${bareWord})`, unknownRoleScope),
  ]
}
