import { ActionIcon } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import classes from "./DeskTabs.module.css";
import { type Desk, type Tab, titleOf } from "./desk";

type Props = {
  desk: Desk;
  current: string;
  onShow: (id: string) => void;
  onClose: (tab: Tab) => void;
  onAdd: () => void;
};

export function DeskTabs({ desk, current, onShow, onClose, onAdd }: Props) {
  return (
    <nav aria-label="Queries on the desk" className={classes.tabs}>
      {desk.tabs.map((tab) => (
        <div key={tab.id} className={classes.tab} data-current={tab.id === current || undefined}>
          <button
            type="button"
            className={classes.name}
            aria-current={tab.id === current ? "true" : undefined}
            onClick={() => onShow(tab.id)}
          >
            {titleOf(tab)}
          </button>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-label={`Close ${titleOf(tab)}`}
            onClick={() => onClose(tab)}
          >
            <IconX size={12} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <ActionIcon
        variant="subtle"
        color="gray"
        size={30}
        aria-label="New query"
        title="New query"
        onClick={onAdd}
      >
        <IconPlus size={15} aria-hidden />
      </ActionIcon>
    </nav>
  );
}
