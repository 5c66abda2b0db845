/** Style sheets as text, for pages that load no files. */
declare module '*.css' {
  const text: string
  export default text
}
