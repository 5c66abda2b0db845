/** The part of jsdom that the tests of the preview's page use. */
declare module 'jsdom' {
  /** A document in a window, without layout. */
  export class JSDOM {
    constructor(
      html?: string,
      options?: {
        readonly contentType?: string
        readonly pretendToBeVisual?: boolean
        readonly url?: string
        readonly runScripts?: 'outside-only'
      },
    )
    readonly window: Window & typeof globalThis
  }
}
