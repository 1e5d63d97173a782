import { api } from "./platform.ts"
import { text } from "./text.ts"

/** Where each item stands; not every browser has a menu on its tabs, of which several may be chosen. */
const items = {
  page: "page",
  link: "link",
  selection: "selection",
  image: "image",
  window: "action",
  right: "action",
  dashboard: "action",
  chosen: "tab"
} as const

/** What a person may choose in a menu. */
export type MenuItem = keyof typeof items

/** Whether a menu's item is one of ours. */
export const isMenuItem = (id: string | number): id is MenuItem => id in items

/** Puts the items into the browser's menus, where it keeps them. */
export const createMenus = async (): Promise<void> => {
  const { ContextType, create, removeAll } = api.contextMenus
  await removeAll()
  for (const [id, context] of Object.entries(items))
    if (isMenuItem(id) && (context !== "tab" || ContextType?.["TAB"] !== undefined))
      create({ id, title: text(`menu_${id}`), contexts: [context] })
}
