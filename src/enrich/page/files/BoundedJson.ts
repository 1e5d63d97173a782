/** The deepest nesting that is parsed; real documents have a few dozen levels. */
const MAX_DEPTH = 500

/** Whether brackets outside strings nest deeper than the limit. A parser's memory grows with the depth. */
const isTooDeep = (text: string): boolean => {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22) isInString = !isInString
    else if (unit === 0x5c && isInString) at++
    else if (!isInString && (unit === 0x5b || unit === 0x7b) && ++depth > MAX_DEPTH) return true
    else if (!isInString && (unit === 0x5d || unit === 0x7d)) depth--
  }
  return false
}

/** Parses JSON of strangers; undefined if it is invalid, cut or nested too deeply. */
export const parseJson = (text: string): unknown => {
  if (isTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
