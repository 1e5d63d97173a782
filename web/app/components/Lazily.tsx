import { useEffect } from "preact/hooks"
import { lazyParts, loadLazyParts } from "../state/lazy.ts"

/** What is shown until a page or a list is there. */
export const Waiting = () => (
  <div class="skeletons" aria-hidden="true">
    {[0, 1, 2, 3, 4].map((n) => (
      <div class="skeleton" key={n} />
    ))}
  </div>
)

/** A part of the page that is seldom shown, loaded on demand. */
export const Lazily = ({ part }: { readonly part: "Missing" | "Nothing" | "OfflineArticles" }) => {
  const Part = lazyParts.value?.[part]
  useEffect(() => void loadLazyParts(), [])
  return Part === undefined ? <Waiting /> : <Part />
}
