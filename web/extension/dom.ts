import { api } from "./platform.ts"

/** Returns the element with this id; throws if it is missing or of another kind, which is a bug. */
export const byId = <A extends HTMLElement>(id: string, kind: abstract new () => A): A => {
  const element = document.getElementById(id)
  if (!(element instanceof kind)) throw new Error(`there is no ${id} in the page`)
  return element
}

/** Like `byId`, for an element of any kind. */
export const elementOf = (id: string): HTMLElement => byId(id, HTMLElement)

/** Calls `work` on every click on the element with this id. */
export const onPress = (id: string, work: () => unknown): void =>
  elementOf(id).addEventListener("click", work)

/** Replaces text names (`__MSG_name__`, as in the manifest) by texts in the user's language, and shows the page. */
export const translate = (): void => {
  document.documentElement.lang = api.i18n.getMessage("language")
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const [, name] = /^__MSG_(\w+)__$/.exec(node.nodeValue ?? "") ?? []
    if (name !== undefined) node.nodeValue = api.i18n.getMessage(name)
  }
  document.body.hidden = false
}

/** Creates an element with a class, a text and a click handler. */
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
