/** Values that a page's program failed to fill in. */

/** How programs write a value that they do not have, once or more: `undefined`, `null null`, `[object Object]`. */
const missing =
  /^(?:(?:undefined|null|NULL|\(null\)|nil|None|NaN|Invalid Date|\[object \w{1,40}\])(?:$|[\s,;|/–—-]{1,3}(?!$))){1,8}$/
/** A template's expression, alone or before the site's name: `{{title}}`, `${title}`, `<%= title %>`, `%title%`. */
const expression =
  /^(?:\{\{[^{}]*\}\}|\{%[^%]*%\}|<%[^%]*%>|<\?[^?]*\?>|[$#@]\{[^{}]*\}|\[\[[^[\]]*\]\]|%{1,2}[\w.-]+%{1,2}|\{[\w.$-]+\})(?=\s*(?:$|[|–—·:,-]\s))/

export const isPlaceholder = (value: string): boolean => {
  const text = value.slice(0, 300).trim()
  return missing.test(text) || expression.test(text)
}

/** Whether an address ends in such a value: `https://site.example/images/undefined`. */
export const endsInPlaceholder = (address: string): boolean =>
  /(?:^|\/)(?:undefined|null|NaN|(?:\[|%5B)object(?: |%20)Object(?:\]|%5D))$/.test(address.slice(-40)) ||
  /\{\{|%7B%7B|\$\{/i.test(address)
