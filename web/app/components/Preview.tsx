import { useState } from "preact/hooks"

/** Pictures that could not be had: cards drawn later leave no room for them. */
const missing = new Set<string>()

/** A page's own picture in a box of fixed size, so that nothing moves when it comes, or does not. */
export const Preview = ({ src }: { readonly src: string }) => {
  const [state, setState] = useState<"waiting" | "there" | "gone" | "never">(
    missing.has(src) ? "never" : "waiting"
  )
  if (state === "never") return null
  const fail = () => {
    missing.add(src)
    setState("gone")
  }
  return (
    <div class="preview" data-state={state}>
      {state === "gone" ? null : (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          onLoad={() => setState("there")}
          onError={fail}
        />
      )}
    </div>
  )
}
