import { named, setShareable } from "../state/changes.ts"
import { close } from "../state/dialogs.ts"
import { meta } from "../state/meta.ts"
import { sharing } from "../state/preferences.ts"
import { FormDialog } from "./FormDialog.tsx"

export const publicListAddress = (): string => `${meta.value?.setup.publicUrl ?? location.origin}/list`

/** Asks before this browser shares links for the first time: says who will see them, and where. */
export const ShareDialog = ({ ids }: { readonly ids: ReadonlyArray<number> }) => {
  const one = ids.length === 1
  const address = publicListAddress()
  const share = () => {
    sharing.value = "known"
    close()
    void setShareable(ids, true)
    return false
  }
  return (
    <FormDialog
      title="Share on the public list?"
      confirm="Share"
      focus="confirm"
      onSubmit={share}
      onClose={close}
    >
      <p dir="auto">Everyone who has the address of your public list can then see {named(ids)}:</p>
      <p class="prewrap">
        <a href={address} target="_blank" rel="noopener noreferrer">
          {address}
        </a>
      </p>
      <p>
        The list shows {one ? "its" : "their"} title, address, summary, tags, category and collection, never
        your note. You can make {one ? "it" : "them"} private again at any time.
      </p>
      <p class="hint">This browser asks only once.</p>
    </FormDialog>
  )
}
