/** The logo: a tower and its light. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 48 48" aria-hidden="true">
      <path className="mark-light" d="M20 15.5 5 10v11.5zM28 15.5 43 10v11.5z" />
      <path
        className="mark-tower"
        d="M20 18c0-4 4-4.6 4-9 0 4.4 4 5 4 9zM18.5 19.5h11V22h-11zM20.5 23.5h7L29.5 41h-11z"
      />
    </svg>
  );
}
