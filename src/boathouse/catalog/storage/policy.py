"""What keys for one table may do, in the language of S3's policies."""

from collections.abc import Sequence

import orjson

_READ = ["s3:GetObject", "s3:GetObjectVersion"]
_WRITE = ["s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts"]
# In a policy these stand for other letters, and nothing makes them stand for themselves everywhere.
_MEANINGFUL = frozenset("*?$")


def can_be_told(prefixes: Sequence[str]) -> bool:
    """Whether a policy can name these places, and only these."""
    return not any(_MEANINGFUL & set(prefix) for prefix in prefixes)


def session_policy(bucket: str, prefixes: Sequence[str], *, writes: bool) -> str:
    """To read what lies below the prefixes, to list it, and to write it if `writes`."""
    objects = [f"arn:aws:s3:::{bucket}/{prefix}/*" for prefix in prefixes]
    below = {"StringLike": {"s3:prefix": [f"{prefix}/*" for prefix in prefixes]}}
    actions = [*_READ, *(_WRITE if writes else [])]
    statements = [
        {"Effect": "Allow", "Action": actions, "Resource": objects},
        {"Effect": "Allow", "Action": ["s3:ListBucket"], "Resource": [f"arn:aws:s3:::{bucket}"], "Condition": below},
    ]
    return orjson.dumps({"Version": "2012-10-17", "Statement": statements}).decode()
