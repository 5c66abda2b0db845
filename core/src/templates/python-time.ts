/** `strftime` in the language of the C locale, which is what templates expect. */

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** `date` in local time as `form` says; directives that Python does not know stay as they are. */
export function strftime(date: Date, form: string): string {
  return form.replace(/%(-?)([a-zA-Z%])/g, (all, dash: string, directive: string) => {
    const text = directives[directive]?.(date)
    if (text === undefined) return all
    return dash === '' ? text : text.replace(/^0(?=\d)/, '')
  })
}

const two = (value: number) => String(value).padStart(2, '0')
const hour12 = (date: Date) => date.getHours() % 12 || 12

const directives: Readonly<Record<string, (date: Date) => string>> = {
  Y: (it) => String(it.getFullYear()).padStart(4, '0'),
  y: (it) => two(it.getFullYear() % 100),
  m: (it) => two(it.getMonth() + 1),
  d: (it) => two(it.getDate()),
  e: (it) => String(it.getDate()).padStart(2),
  H: (it) => two(it.getHours()),
  I: (it) => two(hour12(it)),
  M: (it) => two(it.getMinutes()),
  S: (it) => two(it.getSeconds()),
  f: (it) => String(it.getMilliseconds()).padStart(3, '0').padEnd(6, '0'),
  p: (it) => (it.getHours() < 12 ? 'AM' : 'PM'),
  A: (it) => days[it.getDay()] ?? '',
  a: (it) => (days[it.getDay()] ?? '').slice(0, 3),
  B: (it) => months[it.getMonth()] ?? '',
  b: (it) => (months[it.getMonth()] ?? '').slice(0, 3),
  h: (it) => (months[it.getMonth()] ?? '').slice(0, 3),
  j: (it) => String(dayOfYear(it)).padStart(3, '0'),
  w: (it) => String(it.getDay()),
  u: (it) => String(it.getDay() || 7),
  F: (it) => `${it.getFullYear()}-${two(it.getMonth() + 1)}-${two(it.getDate())}`,
  T: (it) => `${two(it.getHours())}:${two(it.getMinutes())}:${two(it.getSeconds())}`,
  D: (it) => `${two(it.getMonth() + 1)}/${two(it.getDate())}/${two(it.getFullYear() % 100)}`,
  Z: () => '',
  z: () => '',
  '%': () => '%',
}

function dayOfYear(date: Date): number {
  const start = Date.UTC(date.getFullYear(), 0, 0)
  return Math.round((Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) - start) / 86_400_000)
}
