/** The grammar as a whole: the YAML header, then messages in the framing that the first one has. */
import { embeddedScope, fragments, injections, turnPatterns } from './bodies.mjs'
import { bareWord, blank, opener, people, token, turns, word, wordEnd, wordStart } from './expressions.mjs'
import { headers, messageRules } from './headers.mjs'

const yamlLine = '[ \\t]*(?:#|%|\\{|---|["\'\\w][^\\n]*?:(?:[ \\t]|$))'
const fenceEnd = '(?:---|\\.\\.\\.)[ \\t]*$'
/** A token that is being typed. Were it YAML, the words in it would be those of YAML, and editors would propose by them. */
const typedToken = '<(?:\\|[a-z_]*\\|?)?$'

/**
 * The text before the first line that begins with an opener (D1). A first line that is no YAML and has a start token
 * further on is taken for a message that something stands before.
 */
const preamble = {
  name: 'meta.preamble.openchatml',
  begin: `\\A\\x{FEFF}?(?!${opener})(?=[ \\t]*$|${yamlLine}|(?![^\\n]*${token('start', 'im_start')}))`,
  end: `^(?=${opener})|(?<=^---|^\\.\\.\\.)(?=[ \\t]*$)`,
  patterns: [
    {
      begin: '(?:^|\\G)(---)(?=[ \\t]*$)',
      beginCaptures: { 1: { name: 'punctuation.definition.header.begin.openchatml' } },
      end: `^(---|\\.\\.\\.)(?=[ \\t]*$)|^(?=${opener})`,
      endCaptures: { 1: { name: 'punctuation.definition.header.end.openchatml' } },
      patterns: [yaml('\\G', `^(?!${fenceEnd}|${opener})`)],
    },
    { match: `(?:^|\\G)${typedToken}` },
    yaml(`(?:^|\\G)(?=${yamlLine})`, `^(?!${opener}|${typedToken})`),
    { begin: '(?:^|\\G)(?=[ \\t]*\\S)', while: `^(?!${opener})` },
  ],
}

function yaml(begin, whileExpression) {
  return {
    begin,
    while: whileExpression,
    contentName: embeddedScope('header'),
    patterns: [{ include: 'source.yaml' }],
  }
}

/** The framing of 2.x. */
const messageDocument = {
  begin: `(?=${token('start')})`,
  end: '(?!)',
  patterns: messageRules(),
}

/** The framing of 0.1: messages, fill-in-the-middle tasks and files (D3). */
const turnDocument = {
  begin: `(?=${opener})`,
  end: '(?!)',
  patterns: [
    turn('system', `(system)${wordEnd}`, 'system'),
    turn('$2', `(${people.join('|')})${wordEnd}`, 'other'),
    turn('unknown-role', `(${bareWord})?`, 'other', 'variable.other.unknown-role.openchatml'),
    { match: token('fim_prefix', 'fim_middle', 'fim_suffix'), name: 'keyword.control.fim.openchatml' },
    { match: token('file_separator'), name: 'keyword.control.file-separator.openchatml' },
    { match: '\\[(?:BOS|EOS)\\](?=\\s|<\\||\\[|$)', name: 'keyword.control.sequence.openchatml' },
  ],
}

function turn(name, role, body, roleScope = 'entity.name.type.role.openchatml') {
  return {
    name: `meta.message.${name}.openchatml`,
    begin: `(${token('im_start')})${blank}*${role}`,
    beginCaptures: { 1: { name: 'keyword.control.start.openchatml' }, 2: { name: roleScope } },
    end: `(${token('im_end')})|(?=${turns.boundary})|(?!^)(?=${token('im_start')})`, // any role, but in headers only
    endCaptures: { 1: { name: 'keyword.control.end.openchatml' } },
    patterns: [{ include: '#turn-header' }, { include: `#turn-body-${body}` }],
  }
}

const turnHeader = {
  begin: '\\G(?=[^\\n])(?!<\\|im_)',
  end: '$|(?=<\\|im_)',
  patterns: [
    {
      match: `${wordStart}(?:(name)|([A-Za-z_][\\w-]*))(=)(${word})?`,
      captures: {
        1: { name: 'variable.parameter.attribute.openchatml' },
        2: { name: 'variable.other.unknown-attribute.openchatml' },
        3: { name: 'punctuation.separator.key-value.openchatml' },
        4: { name: 'string.unquoted.value.openchatml' },
      },
    },
  ],
}

/** The lines behind the header's line. */
function turnBody(role) {
  return {
    begin: `^(?!${turns.boundary})`,
    end: `(?=${turns.boundary})`,
    contentName: 'meta.body.chatml.openchatml',
    patterns: turnPatterns(role),
  }
}

/** The grammar, ready to be written as JSON. */
export const grammar = {
  $schema: 'https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json',
  information_for_contributors: 'Generated: edit syntaxes/source, then run `node syntaxes/generate.mjs`.',
  name: 'OpenChatML',
  scopeName: 'text.openchatml',
  fileTypes: ['ocm'],
  firstLineMatch: '^\\x{FEFF}?<\\|(?:start|im_start)\\|>',
  patterns: [preamble, messageDocument, turnDocument],
  injections,
  repository: {
    ...headers(),
    'turn-header': turnHeader,
    'turn-body-system': turnBody('system'),
    'turn-body-other': turnBody('other'),
    ...fragments(),
  },
}
