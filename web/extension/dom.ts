import { api } from "./platform.ts"

/** The element of the page with this id; a page without it is a bug. */
export const byId = <A extends HTMLElement>(id: string, kind: abstract new () => A): A => {
  const element = document.getElementById(id)
  if (!(element instanceof kind)) throw new Error(`there is no ${id} in the page`)
  return element
}

/** The same, of any kind. */
export const elementOf = (id: string): HTMLElement => byId(id, HTMLElement)

/** Does `work` whenever the element with this id is pressed. */
export const onPress = (id: string, work: () => unknown): void =>
  elementOf(id).addEventListener("click", work)

/** Puts the person's language in place of the names of texts, `__MSG_name__` as in the manifest, and shows the page. */
export const translate = (): void => {
  document.documentElement.lang = api.i18n.getMessage("language")
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const [, name] = /^__MSG_(\w+)__$/.exec(node.nodeValue ?? "") ?? []
    if (name !== undefined) node.nodeValue = api.i18n.getMessage(name)
  }
  document.body.hidden = false
}

/** An element with a class, a text and what happens when it is pressed. */
export const make = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  look: string,
  content = "",
  press?: () => unknown
): HTMLElementTagNameMap[K] => {
  const element = document.createElement(tag)
  element.className = look
  element.textContent = content
  if (press !== undefined) element.addEventListener("click", press)
  return element
}
