import { signal } from "@preact/signals"

/** What stands in front of the page. */
export type Dialog =
  | { readonly kind: "edit" | "menu"; readonly id: number }
  | { readonly kind: "delete"; readonly ids: ReadonlyArray<number> }
  | { readonly kind: "category" | "collection"; readonly ids: ReadonlyArray<number> }
  | { readonly kind: "palette" | "shortcuts" | "add" | "organize" | "recategorize" | "sidebar" }

export const dialog = signal<Dialog | null>(null)

export const open = (next: Dialog): void => {
  dialog.value = next
}

export const close = (): void => {
  dialog.value = null
}
