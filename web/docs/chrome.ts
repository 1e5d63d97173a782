import { icon } from "./icons.ts"
import { pathOfPage } from "./links.ts"
import { pagesBySection, type Source } from "./source.ts"
import { type Content, type Element, h, type Node, toHtml } from "./tree.ts"

/** The paths of the files that every page loads. */
export interface PageFiles {
  readonly theme: string
  readonly style: string
  readonly script: string
  readonly searchIndex: string
  readonly icon: string
  readonly touchIcon: string
}

export interface PageParts {
  readonly title: string
  readonly description: string
  /** The kind of page, which selects its style. */
  readonly kind: "landing" | "page"
  readonly body: ReadonlyArray<Node>
}

/** The HTML of a whole page. */
export const pageHtml = (files: PageFiles, { body, description, kind, title }: PageParts): string => {
  const head = h(
    "head",
    {},
    h("meta", { charset: "utf-8" }),
    h("meta", { name: "viewport", content: "width=device-width, initial-scale=1, viewport-fit=cover" }),
    h("meta", { name: "color-scheme", content: "light dark" }),
    h("title", {}, title),
    h("meta", { name: "description", content: description }),
    h("script", { src: files.theme }),
    h("link", { rel: "stylesheet", href: files.style }),
    h("script", { type: "module", src: files.script }),
    h("link", { rel: "icon", type: "image/svg+xml", href: files.icon }),
    h("link", { rel: "apple-touch-icon", href: files.touchIcon })
  )
  const page = h(
    "html",
    { lang: "en", "data-search": files.searchIndex },
    head,
    h("body", { class: kind }, body)
  )
  return `<!doctype html>\n${toHtml(page)}\n`
}

const MENU = "menu"

/** The anchor of the list of all pages on the front page. */
export const ALL_PAGES = "pages"

/** The search field: a script searches while typing; without the script the form opens the list of all pages on the front page. */
const search = (): Element =>
  h(
    "search",
    { class: "finder" },
    h(
      "form",
      { action: `/docs#${ALL_PAGES}`, method: "get" },
      icon("search"),
      h("input", {
        type: "search",
        name: "q",
        placeholder: "Search",
        "aria-label": "Search the documentation",
        autocomplete: "off",
        spellcheck: "false",
        enterkeyhint: "search"
      }),
      h("kbd", { "aria-hidden": "true" }, "/")
    ),
    h("p", { class: "visually-hidden", role: "status" }),
    h("div", { class: "found", hidden: true })
  )

const themeButton = (): Element =>
  h(
    "button",
    { type: "button", class: "icon-button theme", hidden: true },
    icon("auto", { "data-theme": "system" }),
    icon("sun", { "data-theme": "light", "data-off": "" }),
    icon("moon", { "data-theme": "dark", "data-off": "" }),
    h("span", { class: "visually-hidden" }, "Theme")
  )

/** The header of every page; `menu` adds the button that opens the sidebar. */
export const header = (files: PageFiles, menu: boolean): ReadonlyArray<Node> => [
  h("a", { class: "skip", href: "#content" }, "Skip to the content"),
  h(
    "header",
    { class: "top" },
    menu
      ? h(
          "button",
          { type: "button", class: "icon-button menu-button", popovertarget: MENU },
          icon("menu"),
          h("span", { class: "visually-hidden" }, "Pages")
        )
      : null,
    h(
      "a",
      { class: "brand", href: "/docs" },
      h("img", { src: files.icon, alt: "", width: "24", height: "24" }),
      h("span", {}, "Linkbower")
    ),
    search(),
    h(
      "nav",
      { class: "ways", "aria-label": "Service" },
      h("a", { href: "/list" }, "Public list"),
      h("a", { href: "/dashboard" }, "Dashboard")
    ),
    themeButton()
  )
]

const pageLink = ({ slug, title }: Source, current: string | null) =>
  h("a", { href: pathOfPage(slug), ...(slug === current ? { "aria-current": "page" } : {}) }, title)

/** The sidebar with all pages by section: a column on wide screens, a drawer without a script on narrow ones. */
export const sidebar = (pages: ReadonlyArray<Source>, current: string | null): Element =>
  h(
    "nav",
    { id: MENU, class: "sidebar", popover: "auto", "aria-label": "Documentation" },
    h(
      "div",
      { class: "drawer-head" },
      h("span", {}, "Documentation"),
      h(
        "button",
        { type: "button", class: "icon-button", popovertarget: MENU, popovertargetaction: "hide" },
        icon("close"),
        h("span", { class: "visually-hidden" }, "Close")
      )
    ),
    pagesBySection(pages).map(({ section, within }) => [
      h("p", { class: "sidebar-section", id: `section-${section.toLowerCase()}` }, section),
      h(
        "ul",
        { "aria-labelledby": `section-${section.toLowerCase()}` },
        within.map((page) => h("li", {}, pageLink(page, current)))
      )
    ]),
    h(
      "ul",
      { class: "sidebar-ways" },
      h("li", {}, h("a", { href: "/list" }, "Public list")),
      h("li", {}, h("a", { href: "/dashboard" }, "Dashboard"))
    )
  )

/** The footer of every page. */
export const footer = (...more: ReadonlyArray<Content>): Element =>
  h("footer", { class: "bottom" }, h("p", {}, more, "Linkbower is free software under the MIT licence."))
