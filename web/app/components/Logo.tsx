/** @jsxImportSource preact */

const arch = { x: "-78", y: "-160", width: "156", height: "320", rx: "78" }

/** The logo: two links of a chain that form an arch. */
export const Logo = () => (
  <svg class="mark" viewBox="0 0 512 512" aria-hidden="true">
    <rect {...arch} transform="translate(193 260) rotate(24)" />
    <rect {...arch} class="mark-second" transform="translate(319 260) rotate(-24)" />
  </svg>
)
