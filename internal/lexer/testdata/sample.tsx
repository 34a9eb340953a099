import React, { useState, type FC } from "react";
import { User, parseUser as parse } from "./user";

/** What a list shows. */
export interface ListProps<T extends User> {
  readonly users: T[];
  onSelect?: (user: T) => void;
}

export const List: FC<ListProps<User>> = ({ users, onSelect }) => {
  const [filter, setFilter] = useState<string>("");
  const shown = users.filter((u) => u.name.match(/^[a-z']+$/i) && u.name.includes(filter));
  return (
    <section className={`list ${shown.length > 0 ? "full" : "empty"}`}>
      <input value={filter} onChange={(e) => setFilter(e.target.value)} />
      {shown.map((u) => (
        <li key={u.id} onClick={() => onSelect?.(u)}>
          Don't forget {u.name} / {parse(u).age}
        </li>
      ))}
    </section>
  );
};
