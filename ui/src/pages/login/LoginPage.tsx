import { Button, Divider, Loader, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, told } from "@/api/client";
import { ProblemNote } from "@/parts/ProblemNote";
import classes from "./LoginPage.module.css";
import { loginRoute } from "./routes";
import { useLogin } from "./useLogin";

export function LoginPage() {
  const { next = "/", expired } = loginRoute.useSearch();
  const ways = useQuery({ queryKey: ["ways"], queryFn: () => told(api.GET("/api/v1/sessions/ways")) });
  useEffect(() => {
    document.title = "Log in · Boathouse";
  }, []);
  return (
    <main className={classes.page}>
      <Stack gap="md" className={classes.card}>
        <div className={classes.brand}>
          <img src="/icon.svg" alt="" width={34} height={34} />
          <Title order={1}>Boathouse</Title>
        </div>
        {expired && (
          <Text size="sm" role="status">
            Your session is over. Log in, and you are back where you were.
          </Text>
        )}
        {ways.isPending && <Loader size="sm" aria-label="Asking how one logs in here" />}
        {ways.error && <ProblemNote problem={ways.error} />}
        {ways.data?.oidc && (
          <Button component="a" size="sm" href={`${ways.data.oidc.start}?next=${encodeURIComponent(next)}`}>
            {ways.data.oidc.label}
          </Button>
        )}
        {ways.data?.oidc && ways.data.passwords && <Divider label="or" />}
        {ways.data?.passwords && <PasswordForm next={next} />}
        <Text size="xs" c="dimmed">
          On the machine itself, <code>boathouse ui</code> logs you in without a password.
        </Text>
      </Stack>
    </main>
  );
}

function PasswordForm({ next }: { next: string }) {
  const login = useLogin(next);
  const send = (form: FormData) =>
    login.mutate({ name: String(form.get("name")), password: String(form.get("password")) });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send(new FormData(event.currentTarget));
      }}
    >
      <Stack gap="sm">
        <TextInput name="name" label="Name" size="sm" autoComplete="username" required autoFocus />
        <PasswordInput
          name="password"
          label="Password"
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
        />
        {login.error && <ProblemNote problem={login.error} />}
        <Button type="submit" size="sm" loading={login.isPending}>
          Log in
        </Button>
      </Stack>
    </form>
  );
}
