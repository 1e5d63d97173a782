import { computed, type ReadonlySignal, signal } from "@preact/signals"
import type { IconName } from "../components/Icon.tsx"

export type Ids = ReadonlyArray<number>

/** Something the owner can do. Keys, palette, menus and the bar of a selection all read the registered actions. */
export interface Action {
  readonly name: string
  readonly group: "Reader" | "Move" | "Links" | "Selection" | "Go to" | "Library"
  readonly icon?: IconName
  /**
   * Its shortcuts: keys as in `KeyboardEvent.key`, letters in lower case, with `Shift+` before a letter or a named key
   * and `Mod+` for Ctrl or Cmd; a space separates two keys pressed one after the other. Of the actions that share a key,
   * the first that is available is performed.
   */
  readonly keys?: ReadonlyArray<string>
  /** Performs the action; returns false if there was nothing to do, so that the browser handles the key. */
  readonly perform: () => unknown
  /** Whether the action is available now; always if absent. */
  readonly isAvailable?: () => boolean
  /** Whether it is useful from a key only; the palette omits it. */
  readonly keyOnly?: true
  /** Whether it repeats while its key is held. */
  readonly repeats?: true
}

/** The parts of a menu, in order. */
export const sections = ["open", "mark", "state", "file", "page", "copy", "remove"] as const

/** An action on links, which are the selected ones, the one of a card or the one that is read. */
export interface LinkAction {
  readonly name: string
  /** Its name in the bar of a selection, if that is shorter. */
  readonly short?: string
  readonly icon: IconName
  readonly keys?: ReadonlyArray<string>
  readonly section: (typeof sections)[number]
  /** Whether it takes a single link. */
  readonly isSingle?: true
  /** Whether it works without the service. */
  readonly isLocal?: true
  /** Whether a card that is pointed at shows it beside the button of its menu; at most three apply to a link. */
  readonly isTool?: true
  /** Whether it takes back what another action sets. */
  readonly isReverse?: true
  /** Whether it takes something away. */
  readonly isDangerous?: true
  /** Whether it makes sense for these links. */
  readonly applies: (ids: Ids) => boolean
  readonly perform: (ids: Ids) => unknown
}

const all = signal<ReadonlyArray<Action>>([])
const onLinks = signal<ReadonlyArray<LinkAction>>([])

/** All actions, those of the reader first, because they take precedence where it is shown. */
export const actions: ReadonlySignal<ReadonlyArray<Action>> = computed(() =>
  all.value.toSorted((a, b) => Number(b.group === "Reader") - Number(a.group === "Reader"))
)

/** Adds actions; code that loads later brings its own. */
export const register = (...more: ReadonlyArray<Action>): void => {
  all.value = [...all.value, ...more]
}

/** Adds an action on links; `targets` are the links that it takes from the keyboard and the palette. */
export const registerOnLinks = (action: LinkAction, targets: () => Ids): void => {
  onLinks.value = [...onLinks.value, action]
  const { applies, icon, keys, name, perform } = action
  register({
    name,
    group: "Links",
    icon,
    ...(keys === undefined ? {} : { keys }),
    isAvailable: () => targets().length > 0 && applies(targets()),
    perform: () => perform(targets())
  })
}

/** The actions on these links, in the order of their sections. */
export const actionsOn = (ids: Ids): ReadonlyArray<LinkAction> =>
  onLinks.value
    .filter(({ applies, isSingle }) => (isSingle !== true || ids.length === 1) && applies(ids))
    .toSorted((a, b) => sections.indexOf(a.section) - sections.indexOf(b.section))

export const actionCalled = (name: string): Action | undefined => all.value.find((one) => one.name === name)
