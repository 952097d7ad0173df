"""The bucket: listings, objects, dated inventories."""

import gzip
import hashlib
import json
from collections.abc import Mapping
from xml.sax.saxutils import escape

from tests.pmc_server.archive import BUCKET, Archive, etag_of
from tests.pmc_server.steps import Complete, no_such_key

INVENTORIES = "inventory-reports/pmc-oa-opendata/metadata/"
PARTS = 2


def objects(archive: Archive) -> dict[str, bytes]:
    """All objects by key."""
    return archive.objects() | inventory_objects(archive)


def inventory_objects(archive: Archive) -> dict[str, bytes]:
    """The dated inventories, and the siblings that are not for us."""
    made = {f"{INVENTORIES}hive/dt=2026-09-21-01-00/symlink.txt": b"s3://"}
    for name, rows in archive.inventories.items():
        files = []
        for part in range(PARTS):
            lines = [
                ",".join(f'"{value}"' for value in (BUCKET, key, modified, etag)) + "\n"
                for key, modified, etag in rows[part::PARTS]
            ]
            content = gzip.compress("".join(lines).encode(), mtime=0)
            key = f"{INVENTORIES}data/{name}-{part}.csv.gz"
            made[key] = content
            files.append({"key": key, "size": len(content), "MD5checksum": hashlib.md5(content).hexdigest()})
        manifest = {
            "sourceBucket": BUCKET,
            "fileFormat": "CSV",
            "fileSchema": "Bucket, Key, LastModifiedDate, ETag",
            "files": files,
        }
        made[f"{INVENTORIES}{name}/manifest.json"] = json.dumps(manifest).encode()
    return made


def get(archive: Archive, key: str) -> Complete:
    """An object, or NoSuchKey."""
    content = objects(archive).get(key)
    if content is None:
        return no_such_key(key)
    return Complete(content, "application/octet-stream", headers={"ETag": f'"{etag_of(content)}"'})


def listing(archive: Archive, params: Mapping[str, str], page_size: int) -> Complete:
    """ListObjectsV2 with prefix and delimiter, `page_size` entries to a page."""
    prefix, delimiter = params.get("prefix", ""), params.get("delimiter", "")
    entries = sorted({_entry(key, prefix, delimiter) for key in objects(archive) if key.startswith(prefix)})
    after = params.get("continuation-token", "").removeprefix("after ")
    rest = [entry for entry in entries if entry > after]
    page = rest[:page_size]
    truncated = len(rest) > len(page)
    parts = [f"<Name>{BUCKET}</Name><Prefix>{escape(prefix)}</Prefix><KeyCount>{len(page)}</KeyCount>"]
    parts.append(f"<MaxKeys>{page_size}</MaxKeys><IsTruncated>{str(truncated).lower()}</IsTruncated>")
    if truncated:
        parts.append(f"<NextContinuationToken>after {escape(page[-1])}</NextContinuationToken>")
    for entry in page:
        if delimiter and entry.endswith(delimiter):
            parts.append(f"<CommonPrefixes><Prefix>{escape(entry)}</Prefix></CommonPrefixes>")
        else:
            parts.append(f"<Contents><Key>{escape(entry)}</Key><Size>1</Size></Contents>")
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">{"".join(parts)}</ListBucketResult>'
    )
    return Complete(text.encode(), "application/xml")


def _entry(key: str, prefix: str, delimiter: str) -> str:
    """The key, or the folder that stands for it."""
    rest = key[len(prefix) :]
    return prefix + rest.split(delimiter)[0] + delimiter if delimiter and delimiter in rest else key
