import { Button, Modal, Text } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { api, told } from "@/api/client";
import { ProblemNote } from "@/parts/ProblemNote";

/** Goes through the chain of hashes from the first entry to the last. */
export function VerifyButton() {
  const verify = useMutation({ mutationFn: () => told(api.GET("/api/v1/audit/verify")) });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconShieldCheck size={14} aria-hidden />}
        loading={verify.isPending}
        onClick={() => verify.mutate()}
      >
        Verify
      </Button>
      <Modal
        opened={verify.isSuccess || verify.isError}
        onClose={verify.reset}
        title={verify.data?.holds ? "The audit is whole" : "The audit does not hold"}
      >
        {verify.error && <ProblemNote problem={verify.error} />}
        {verify.data?.holds && (
          <Text size="sm" role="status">
            Every entry holds the hash of the one before: none was changed or taken out.
          </Text>
        )}
        {verify.data && !verify.data.holds && (
          <Text size="sm" role="alert">
            From entry {verify.data.entries_from} on it does not: {verify.data.reason}. Somebody who owns the
            database did this. Compare with an export or a backup from before.
          </Text>
        )}
      </Modal>
    </>
  );
}
