import { signal } from "@preact/signals"

/** The open dialog. */
export type Dialog =
  | { readonly kind: "edit" | "menu"; readonly id: number }
  | { readonly kind: "delete"; readonly ids: ReadonlyArray<number> }
  | { readonly kind: "category" | "collection"; readonly ids: ReadonlyArray<number> }
  | { readonly kind: "palette" | "shortcuts" | "organize" | "recategorize" | "export" | "sidebar" }
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
