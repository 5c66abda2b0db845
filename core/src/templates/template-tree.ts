/** What a template says, as a tree. Every node has the offset of the tag or token that it begins with. */

/** An expression. */
export type TemplateExpression = { readonly at: number } & (
  | { readonly kind: 'constant'; readonly value: string | number | boolean | null }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list' | 'tuple' | 'concat'; readonly items: readonly TemplateExpression[] }
  | {
      readonly kind: 'dict'
      readonly entries: readonly (readonly [TemplateExpression, TemplateExpression])[]
    }
  | { readonly kind: 'attribute'; readonly of: TemplateExpression; readonly name: string }
  | { readonly kind: 'item'; readonly of: TemplateExpression; readonly key: TemplateExpression }
  | { readonly kind: 'slice'; readonly bounds: readonly (TemplateExpression | undefined)[] }
  | { readonly kind: 'call'; readonly of: TemplateExpression; readonly args: TemplateArguments }
  | {
      readonly kind: 'filter'
      /** Undefined in `{% filter %}` and `{% set x | f %}`, whose operand is the block's text. */
      readonly of: TemplateExpression | undefined
      readonly name: string
      readonly args: TemplateArguments
    }
  | {
      readonly kind: 'test'
      readonly of: TemplateExpression
      readonly name: string
      readonly args: TemplateArguments
    }
  | { readonly kind: 'not' | 'negative' | 'positive'; readonly of: TemplateExpression }
  | { readonly kind: 'and' | 'or'; readonly left: TemplateExpression; readonly right: TemplateExpression }
  | {
      readonly kind: 'arithmetic'
      readonly operator: string
      readonly left: TemplateExpression
      readonly right: TemplateExpression
    }
  | {
      readonly kind: 'compare'
      readonly of: TemplateExpression
      readonly steps: readonly { readonly operator: string; readonly right: TemplateExpression }[]
    }
  | {
      readonly kind: 'choice'
      readonly test: TemplateExpression
      readonly value: TemplateExpression
      readonly otherwise: TemplateExpression | undefined
    }
)

/** The arguments of a call, filter or test. */
export interface TemplateArguments {
  readonly positional: readonly TemplateExpression[]
  readonly named: readonly (readonly [string, TemplateExpression])[]
  readonly list: TemplateExpression | undefined
  readonly dict: TemplateExpression | undefined
}

/** What a value is assigned to. */
export type TemplateTarget = { readonly at: number } & (
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'field'; readonly name: string; readonly field: string }
  | { readonly kind: 'tuple'; readonly items: readonly TemplateTarget[] }
)

/** The parameters and the body of a macro or a call block. */
export interface TemplateMacro {
  readonly name: string
  readonly parameters: readonly { readonly name: string; readonly fallback: TemplateExpression | undefined }[]
  readonly body: readonly TemplateStatement[]
  /** True for what the body asks for: arguments that no parameter takes. */
  readonly takesRest: boolean
  readonly takesNamedRest: boolean
}

/** A statement. */
export type TemplateStatement = { readonly at: number } & (
  | { readonly kind: 'text'; readonly text: string }
  /** `end` is behind the tag, as for the other statements that write what they evaluate. */
  | { readonly kind: 'output'; readonly value: TemplateExpression; readonly end: number }
  | {
      readonly kind: 'if'
      readonly branches: readonly {
        readonly test: TemplateExpression | undefined
        readonly body: readonly TemplateStatement[]
      }[]
    }
  | {
      readonly kind: 'for'
      readonly target: TemplateTarget
      readonly of: TemplateExpression
      readonly test: TemplateExpression | undefined
      readonly isRecursive: boolean
      readonly body: readonly TemplateStatement[]
      readonly otherwise: readonly TemplateStatement[]
    }
  | { readonly kind: 'set'; readonly target: TemplateTarget; readonly value: TemplateExpression }
  | {
      readonly kind: 'capture'
      readonly target: TemplateTarget
      readonly filter: TemplateExpression | undefined
      readonly body: readonly TemplateStatement[]
    }
  | {
      readonly kind: 'filtered'
      readonly filter: TemplateExpression
      readonly end: number
      readonly body: readonly TemplateStatement[]
    }
  | {
      readonly kind: 'with'
      readonly values: readonly (readonly [TemplateTarget, TemplateExpression])[]
      readonly body: readonly TemplateStatement[]
    }
  | { readonly kind: 'macro'; readonly macro: TemplateMacro }
  | {
      readonly kind: 'callBlock'
      readonly call: TemplateExpression
      readonly macro: TemplateMacro
      readonly end: number
    }
  | { readonly kind: 'generation'; readonly body: readonly TemplateStatement[] }
  | {
      readonly kind: 'include'
      readonly name: TemplateExpression
      readonly isOptional: boolean
      /** True for `without context`. */
      readonly isIsolated: boolean
    }
  | { readonly kind: 'break' | 'continue' }
)
