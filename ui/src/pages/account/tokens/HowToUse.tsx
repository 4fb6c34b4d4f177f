import { Text } from "@mantine/core";
import { CopyAs } from "@/parts/CopyAs";
import { commands, curl } from "@/parts/commands";

/** Where a token goes. It is named, never written out: commands stay in histories. */
export function HowToUse() {
  const asked = commands(`boathouse login ${location.origin}`, "print(control.users.me())", curl("/me"));
  return (
    <>
      <Text size="sm">
        <code>boathouse login {location.origin}</code> asks for it and keeps it for the command line and
        Python. For curl put it into the variable <code>BOATHOUSE_TOKEN</code>.
      </Text>
      <div>
        <CopyAs commands={asked} />
      </div>
    </>
  );
}
