import type { ComponentType } from "preact"
import { useEffect } from "preact/hooks"
import { type Later, lazyParts, loadLazyParts } from "../state/lazy.ts"

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

/** A component whose code loads when it is shown first. */
export const lately =
  <A, P extends object>({ load, parts }: Later<A>, pick: (parts: A) => ComponentType<P>) =>
  (props: P) => {
    useEffect(() => void load(), [])
    if (parts.value === null) return null
    const Part = pick(parts.value)
    return <Part {...props} />
  }
