/** Reads the statements of a template. */
import { ExpressionParser } from './parse-expression.ts'
import { TemplateFault } from './template-problem.ts'
import { templateTokens } from './template-token.ts'
import type { TemplateExpression, TemplateMacro, TemplateStatement, TemplateTarget } from './template-tree.ts'

const deepest = 100 // blocks inside each other

/** The statements of `source`, whose line breaks are `\n`. @throws TemplateFault */
export function parseTemplate(source: string): readonly TemplateStatement[] {
  const parser = new ExpressionParser(templateTokens(source))
  let depth = 0
  let nLoops = 0
  let used = new Set<string>() // names that the innermost macro uses
  parser.onName = (name) => used.add(name)
  const { body } = block([], 0)
  return body

  /** Statements up to a tag that `ends` names, whose name is read too. */
  function block(ends: readonly string[], opened: number): { body: TemplateStatement[]; end: string } {
    if (++depth > deepest) throw new TemplateFault('limit', 'The template is nested too deeply', opened)
    const body: TemplateStatement[] = []
    while (true) {
      const { kind, value, at } = parser.next()
      if (kind === 'end') {
        if (ends.length === 0) break
        const wanted = ends.map((it) => `'${it}'`).join(' or ')
        throw new TemplateFault('syntax', `Unexpected end of template; ${wanted} is missing`, opened)
      }
      if (kind === 'text') body.push({ kind: 'text', text: value, at })
      else if (value === '{{') {
        const value = parser.expressions()
        const { end } = parser.expect('close')
        body.push({ kind: 'output', value, at, end: end ?? at })
      } else {
        const name = parser.expect('name').value
        if (ends.includes(name)) {
          depth--
          return { body, end: name }
        }
        body.push(statement(name, at))
      }
    }
    depth--
    return { body, end: '' }
  }

  /** Where the tag ends whose words have been read. */
  function tagEnd(): number {
    const { end, at } = parser.current
    return end ?? at
  }

  function blockTo(end: string, at: number): TemplateStatement[] {
    parser.expect('close')
    const { body } = block([end], at)
    parser.expect('close')
    return body
  }

  function statement(name: string, at: number): TemplateStatement {
    switch (name) {
      case 'if':
        return ifStatement(at)
      case 'for':
        return forStatement(at)
      case 'set':
        return setStatement(at)
      case 'macro': {
        const word = parser.expect('name').value
        return { kind: 'macro', macro: macro(word, parameters(), 'endmacro', at), at }
      }
      case 'call': {
        const names = parser.is('operator', '(') ? parameters() : []
        const call = parser.expression()
        if (call.kind !== 'call') throw new TemplateFault('syntax', 'expected call', call.at)
        const end = tagEnd()
        return { kind: 'callBlock', call, macro: macro('caller', names, 'endcall', at), at, end }
      }
      case 'filter': {
        const filter = parser.filters()
        const end = tagEnd()
        return { kind: 'filtered', filter, body: blockTo('endfilter', at), at, end }
      }
      case 'with': {
        const values: [TemplateTarget, TemplateExpression][] = []
        while (parser.current.kind !== 'close') {
          if (values.length > 0) parser.expect('operator', ',')
          const target = parser.target()
          parser.expect('operator', '=')
          values.push([target, parser.expression()])
        }
        return { kind: 'with', values, body: blockTo('endwith', at), at }
      }
      case 'generation':
        return { kind: 'generation', body: outsideLoops(() => blockTo('endgeneration', at)), at }
      case 'include': {
        const value = parser.expression()
        const isOptional = parser.skip('name', 'ignore')
        if (isOptional) parser.expect('name', 'missing')
        const isIsolated = parser.is('name', 'without')
        if (parser.is('name', 'with') || isIsolated) {
          parser.next()
          parser.expect('name', 'context')
        }
        parser.expect('close')
        return { kind: 'include', name: value, isOptional, isIsolated, at }
      }
      case 'break':
      case 'continue':
        if (nLoops === 0) throw new TemplateFault('syntax', `'${name}' outside of a loop`, at)
        parser.expect('close')
        return { kind: name, at }
      default:
        throw new TemplateFault('syntax', `Encountered unknown tag '${name}'.`, at)
    }
  }

  function ifStatement(at: number): TemplateStatement {
    const branches: { test: TemplateExpression | undefined; body: TemplateStatement[] }[] = []
    let test: TemplateExpression | undefined = parser.expressions({ withChoice: false })
    while (true) {
      parser.expect('close')
      const { body, end } = block(test ? ['elif', 'else', 'endif'] : ['endif'], at)
      branches.push({ test, body })
      if (end === 'endif') break
      test = end === 'elif' ? parser.expressions({ withChoice: false }) : undefined
    }
    parser.expect('close')
    return { kind: 'if', branches, at }
  }

  function forStatement(at: number): TemplateStatement {
    const target = parser.target()
    parser.expect('name', 'in')
    const of = parser.expressions({ withChoice: false })
    const test = parser.skip('name', 'if') ? parser.expression() : undefined
    const isRecursive = parser.skip('name', 'recursive')
    parser.expect('close')
    nLoops++
    const { body, end } = block(['endfor', 'else'], at)
    nLoops--
    let otherwise: TemplateStatement[] = []
    if (end === 'else') {
      parser.expect('close')
      otherwise = block(['endfor'], at).body
    }
    parser.expect('close')
    return { kind: 'for', target, of, test, isRecursive, body, otherwise, at }
  }

  function setStatement(at: number): TemplateStatement {
    const target = parser.target()
    if (parser.skip('operator', '=')) {
      const value = parser.expressions()
      parser.expect('close')
      return { kind: 'set', target, value, at }
    }
    const filter = parser.skip('operator', '|') ? parser.filters() : undefined
    return { kind: 'capture', target, filter, body: blockTo('endset', at), at }
  }

  function parameters(): { name: string; fallback: TemplateExpression | undefined }[] {
    const result: { name: string; fallback: TemplateExpression | undefined }[] = []
    parser.expect('operator', '(')
    while (!parser.is('operator', ')')) {
      if (result.length > 0) parser.expect('operator', ',')
      const { value: name, at } = parser.expect('name')
      const fallback = parser.skip('operator', '=') ? parser.expression() : undefined
      if (!fallback && result.at(-1)?.fallback)
        throw new TemplateFault('syntax', 'non-default argument follows default argument', at)
      result.push({ name, fallback })
    }
    parser.next()
    return result
  }

  function macro(name: string, names: TemplateMacro['parameters'], end: string, at: number): TemplateMacro {
    const outer = used
    used = new Set()
    const body = outsideLoops(() => blockTo(end, at))
    const [takesRest, takesNamedRest] = [used.has('varargs'), used.has('kwargs')]
    used = outer
    return { name, parameters: names, body, takesRest, takesNamedRest }
  }

  /** A loop around it can't be left from inside: it is a function of its own. */
  function outsideLoops<T>(read: () => T): T {
    const outer = nLoops
    nLoops = 0
    const result = read()
    nLoops = outer
    return result
  }
}
