import { signal } from "@preact/signals"

/** What stands in front of the page. */
export type Dialog =
  | { readonly kind: "edit" | "menu"; readonly id: number }
  | { readonly kind: "delete"; readonly ids: ReadonlyArray<number> }
  | { readonly kind: "category" | "collection"; readonly ids: ReadonlyArray<number> }
  | { readonly kind: "palette" | "shortcuts" | "organize" | "recategorize" | "export" | "sidebar" }
  /** With the address that was dropped on the page, if one was. */
  | { readonly kind: "add"; readonly url?: string }
  /** With the file that was dropped on the page, if one was. */
  | { readonly kind: "import"; readonly file?: File }

export const dialog = signal<Dialog | null>(null)

export const open = (next: Dialog): void => {
  dialog.value = next
}

export const close = (): void => {
  dialog.value = null
}
