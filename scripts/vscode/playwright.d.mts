/** The part of playwright-core's types that the tests use: the package itself is installed on demand, outside `node_modules`. */

/** An element, looked up again at each use. */
export interface Locator {
  click(options?: {
    readonly button?: 'left' | 'right'
    readonly modifiers?: readonly string[]
    readonly timeout?: number
  }): Promise<void>
  hover(options?: { readonly position?: { readonly x: number; readonly y: number } }): Promise<void>
  fill(text: string, options?: { readonly timeout?: number }): Promise<void>
  press(key: string): Promise<void>
  waitFor(options?: {
    readonly state?: 'attached' | 'detached' | 'visible' | 'hidden'
    readonly timeout?: number
  }): Promise<void>
  count(): Promise<number>
  first(): Locator
  nth(index: number): Locator
  filter(options: { readonly hasText?: string | RegExp }): Locator
  locator(selector: string): Locator
  isVisible(): Promise<boolean>
  innerText(): Promise<string>
  inputValue(): Promise<string>
  innerHTML(): Promise<string>
  textContent(): Promise<string | null>
  allInnerTexts(): Promise<string[]>
  getAttribute(name: string): Promise<string | null>
  boundingBox(): Promise<{ x: number; y: number; width: number; height: number } | null>
  screenshot(options?: { readonly path?: string }): Promise<Uint8Array>
}

/** A document in the page: the workbench, or a webview. */
export interface Frame {
  locator(selector: string, options?: { readonly hasText?: string | RegExp }): Locator
  content(): Promise<string>
  evaluate<Result>(script: string | (() => Result)): Promise<Result>
  name(): string
  url(): string
  waitForFunction(
    script: string | (() => unknown),
    argument?: unknown,
    options?: { readonly timeout?: number },
  ): Promise<unknown>
}

/** A tab of the browser. */
export interface Page extends Frame {
  readonly keyboard: {
    press(key: string): Promise<void>
    type(text: string, options?: { readonly delay?: number }): Promise<void>
    insertText(text: string): Promise<void>
  }
  readonly mouse: {
    move(x: number, y: number): Promise<void>
    down(): Promise<void>
    up(): Promise<void>
    click(x: number, y: number): Promise<void>
    wheel(deltaX: number, deltaY: number): Promise<void>
  }
  context(): {
    /** The protocol of Chromium's developer tools, for what playwright has no method for. */
    newCDPSession(page: Page): Promise<{ send(method: string, parameters: object): Promise<unknown> }>
  }
  goto(address: string): Promise<unknown>
  title(): Promise<string>
  frames(): Frame[]
  mainFrame(): Frame
  emulateMedia(options: {
    readonly reducedMotion?: 'reduce' | 'no-preference'
    readonly forcedColors?: 'active' | 'none'
  }): Promise<void>
  setViewportSize(size: { readonly width: number; readonly height: number }): Promise<void>
  screenshot(options?: {
    readonly path?: string
    readonly clip?: {
      readonly x: number
      readonly y: number
      readonly width: number
      readonly height: number
    }
  }): Promise<Uint8Array>
}

/** A browser without a window. */
export interface Browser {
  newPage(): Promise<Page>
  version(): string
  close(): Promise<void>
}
