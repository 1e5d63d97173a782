import type { Collection } from "../api.ts"
import { ask, open } from "../state/dialogs.ts"
import { listing } from "../state/list.ts"
import { emptyTrash } from "../state/matching.ts"
import { meta } from "../state/meta.ts"
import type { Filters } from "../state/route.ts"
import { changeCollection } from "../state/things.ts"
import { views } from "../views.ts"
import { ViewAction } from "./ViewHeader.tsx"

const shareCollection = ({ id, name, shareable }: Collection) => {
  const set = (next: boolean, done: string) => void changeCollection({ id, name }, { shareable: next }, done)
  if (shareable) return set(false, `Stopped sharing “${name}”`)
  ask({
    title: `Share “${name}”?`,
    text: "Everyone can then see all links in it and in the collections inside, also those that you add later, on the public list and in a feed.",
    confirm: "Share",
    run: () => set(true, `Shared “${name}”`)
  })
}

/** What can be done with the thing that the view shows. */
export const ViewActions = ({ filters }: { readonly filters: Filters }) => {
  const { category, collection, tag } = filters
  const shown = meta.value?.collections.find(({ id }) => id === collection)
  if (shown !== undefined)
    return (
      <>
        <ViewAction
          icon="share"
          name={shown.shareable ? "Stop sharing" : "Share…"}
          run={() => shareCollection(shown)}
        />
        <ViewAction icon="edit" name="Edit…" run={() => open({ kind: "editCollection", id: shown.id })} />
      </>
    )
  if (filters.q === views.trash.filters.q)
    return (listing.value?.total ?? 0) === 0 ? null : (
      <ViewAction icon="trash" name="Empty the trash…" run={() => void emptyTrash()} />
    )
  const label =
    tag === undefined
      ? category && ({ label: "category", name: category } as const)
      : ({ label: "tag", name: tag } as const)
  return label ? (
    <ViewAction icon="edit" name="Rename…" run={() => open({ kind: "renameLabel", ...label })} />
  ) : null
}
