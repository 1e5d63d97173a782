import { signal } from "@preact/signals"

export type Dialog =
  /** `from` is the button that opened the menu. */
  | { readonly kind: "menu"; readonly id: number; readonly from: HTMLElement }
  | { readonly kind: "sharePage"; readonly id: number }
  | { readonly kind: "deleteForever" | "share"; readonly ids: ReadonlyArray<number> }
  | { readonly kind: "category" | "collection" | "tags"; readonly ids: ReadonlyArray<number> }
  | {
      readonly kind:
        | "palette"
        | "shortcuts"
        | "organize"
        | "recategorize"
        | "export"
        | "sidebar"
        | "history"
        | "more"
        | "search"
    }
  | { readonly kind: "editCollection"; readonly id: number }
  | { readonly kind: "renameLabel"; readonly label: "tag" | "category"; readonly name: string }
  /** The address dropped on the page, if any. */
  | { readonly kind: "add"; readonly url?: string }
  /** The file dropped on the page, if any. */
  | { readonly kind: "import"; readonly file?: File }

export const dialog = signal<Dialog | null>(null)

export const open = (next: Dialog): void => {
  dialog.value = next
}

export const close = (): void => {
  dialog.value = null
}

/** A question that the user must answer before something is done. */
export interface Question {
  readonly title: string
  readonly text: string
  /** The labels of its two buttons; the second one is usually “Cancel”. */
  readonly confirm: string
  readonly cancel?: string
  readonly run: () => void
}

/** The open question, shown over any open dialog. */
export const question = signal<Question | null>(null)

export const ask = (next: Question): void => {
  question.value = next
}
