import { type ReadonlySignal, signal } from "@preact/signals"
import type { ComponentType } from "preact"
import { outage } from "./connection.ts"
import { type Route, routeOf } from "./route.ts"
import { tell } from "./toasts.ts"

/** A page other than the list and the reader; its component reads the address itself. */
export type PageName = Exclude<Route["page"], "library" | "read" | "missing">

/** From where the root of the app loads what the first paint does not need. */
interface Sources {
  /** What the first interaction needs: dialogs, details, the bulk bar, completions of a search. */
  readonly work: () => Promise<typeof import("../lazy.tsx")>
  readonly reader: () => Promise<typeof import("../reader/reader.tsx")>
  readonly pages: { readonly [name in PageName]: () => Promise<ComponentType> }
}

/** The paths of their styles; set by the build. */
declare const LATER_STYLE: string
declare const MORE_STYLE: string
declare const READER_STYLE: string

const styles = new Map<string, Promise<void>>()

/** Adds a style sheet to the page, once; resolves when it applies. */
const addStyle = (path: string): Promise<void> => {
  const style =
    styles.get(path) ??
    new Promise((resolve, reject) => {
      const link = document.createElement("link")
      link.rel = "stylesheet"
      link.href = path
      link.onload = () => resolve()
      link.onerror = () => {
        link.remove()
        styles.delete(path)
        reject(new Error(`${path} could not be loaded`))
      }
      document.head.append(link)
    })
  styles.set(path, style)
  return style
}

/** Code that loads once, when it is asked for or will likely be. */
export interface Later<A> {
  /** Null until loaded. */
  readonly parts: ReadonlySignal<A | null>
  /** Null if it cannot be loaded; the next call tries again. */
  readonly load: () => Promise<A | null>
}

const later = <A>(get: () => Promise<A>): Later<A> => {
  const parts = signal<A | null>(null)
  let loading: Promise<A | null> | undefined
  const begin = async () => {
    try {
      parts.value = await get()
    } catch {
      loading = undefined
      // After an update of the service, the previous version's files are gone. During an outage the banner says so.
      if (outage.peek() === undefined)
        tell("Part of the app could not be loaded.", {
          kind: "failed",
          action: { label: "Reload", run: () => location.reload() }
        })
    }
    return parts.peek()
  }
  const load = () => {
    loading ??= begin()
    return loading
  }
  return { parts, load }
}

let sources: Sources

const styled = async <A>(code: Promise<A>, style: string): Promise<A> => {
  const [parts] = await Promise.all([code, addStyle(style)])
  return parts
}

export const { load: loadLazyParts, parts: lazyParts } = later(() => styled(sources.work(), LATER_STYLE))

/** Code that loads after the parts of the first interaction; its styles come after theirs. */
export const laterStill = <A>(get: () => Promise<A>): Later<A> =>
  later(() => {
    void loadLazyParts()
    return styled(get(), MORE_STYLE)
  })

export const reader = laterStill(() => styled(sources.reader(), READER_STYLE))
const pages = new Map<PageName, Later<ComponentType>>()

export const { load: loadReader, parts: readerParts } = reader

/** The code of a page; a link that is pointed at or focused begins to load it. */
export const pageOf = (name: PageName): Later<ComponentType> => {
  const page = pages.get(name) ?? laterStill(() => sources.pages[name]())
  pages.set(name, page)
  return page
}

/** Runs something that needs the parts of the first interaction as soon as they are loaded. */
export const withParts = async (
  run: (parts: Awaited<ReturnType<Sources["work"]>>) => unknown
): Promise<void> => {
  const parts = lazyParts.peek() ?? (await loadLazyParts())
  if (parts !== null) run(parts)
}

/** Loads the page that a link leads to. */
const loadTarget = ({ target }: Event) => {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/dashboard/"]') : null
  if (link === null) return
  const { page } = routeOf(new URL(link.href))
  if (page === "read") void loadReader()
  else if (page !== "library" && page !== "missing") void pageOf(page).load()
}

/** Loads code at the first interaction, and the code of a page when a link to it gets the pointer or the focus. */
export const startLoading = (given: Sources): void => {
  sources = given
  const load = (event: Event) => {
    // A browser also reports a pointer that rests on a new page.
    const rests =
      event.type === "pointermove" &&
      event instanceof PointerEvent &&
      event.movementX === 0 &&
      event.movementY === 0
    if (!rests) void loadLazyParts()
  }
  for (const type of ["pointermove", "pointerdown", "keydown", "focusin"])
    window.addEventListener(type, load, { passive: true })
  for (const type of ["pointerover", "focusin"]) window.addEventListener(type, loadTarget, { passive: true })
  // Later, there is no access to what is dragged or pasted.
  window.addEventListener("dragenter", ({ dataTransfer }) => {
    const types = dataTransfer?.types ?? []
    void withParts(({ showDragged }) => showDragged(types))
  })
  window.addEventListener("paste", ({ clipboardData, target }) => {
    const text = clipboardData?.getData("text/plain") ?? ""
    void withParts(({ takePasted }) => takePasted(target, text))
  })
  // The browser would open what is dropped before there is code for it.
  window.addEventListener("dragover", (event) => lazyParts.peek() ?? event.preventDefault())
  window.addEventListener("drop", (event) => lazyParts.peek() ?? event.preventDefault())
  window.addEventListener("click", (event) => void withParts(({ detail }) => detail.openClicked(event)))
}
