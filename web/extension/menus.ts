import { api } from "./platform.ts"
import { text } from "./text.ts"

/** The context of each menu item; only some browsers have `tab`, where several tabs can be selected. */
const menuItems = {
  page: "page",
  link: "link",
  selection: "selection",
  highlight: "selection",
  image: "image",
  window: "action",
  right: "action",
  dashboard: "action",
  chosen: "tab"
} as const

/** The id of a menu item. */
export type MenuItem = keyof typeof menuItems

/** An item that saves many tabs. */
export type TabsItem = "window" | "right" | "chosen"

/** Whether a menu item belongs to the extension. */
export const isMenuItem = (id: string | number): id is MenuItem => id in menuItems

export const isTabsItem = (item: MenuItem): item is TabsItem =>
  item === "window" || item === "right" || item === "chosen"

/** Replaces the extension's items in the browser's menus; the browser stores them. */
export const createMenus = async (): Promise<void> => {
  const { ContextType, create, removeAll } = api.contextMenus
  await removeAll()
  for (const [id, context] of Object.entries(menuItems))
    if (isMenuItem(id) && (context !== "tab" || ContextType?.TAB !== undefined))
      create({ id, title: text(`menu_${id}`), contexts: [context] })
}
