import { Icon } from "./Icon.tsx"

const isHex = (color: string) => /^#[0-9a-f]{6}$/i.test(color)

/** A collection's icon, or a folder in its colour. */
export const CollectionMark = ({
  color,
  icon
}: {
  readonly color: string | null
  readonly icon: string | null
}) => (
  <span
    class="collection-mark"
    {...(color === null ? {} : isHex(color) ? { style: { color } } : { "data-color": color })}
    aria-hidden="true"
  >
    {icon === null ? <Icon name="folder" /> : icon}
  </span>
)
