"""The extension for VS Code as one file, which ``code --install-extension zermelo.vsix`` installs.

A ``.vsix`` is a zip with the folder of the extension, a manifest of its own, and the types of its files, as the Open
Packaging Conventions (ECMA-376, part 2) want them. ``python -m tools.vsix zermelo.vsix`` fetches the library
that the client depends on with ``npm``, and packs both.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZIP_DEFLATED, ZipFile

FOLDER: Final = Path(__file__).parents[1] / "zermelo" / "editors" / "vscode"

_TYPES: Final = {
    ".json": "application/json",
    ".js": "application/javascript",
    ".md": "text/markdown",
    ".png": "image/png",
    ".txt": "text/plain",
}
_OTHER_TYPE: Final = "application/octet-stream"
_MANIFEST: Final = "extension.vsixmanifest"
_TYPES_FILE: Final = "[Content_Types].xml"
_LICENSE: Final = "LICENSE.txt"


def package(folder: Path, target: Path) -> None:
    """Write the extension in ``folder`` as the file ``target``."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    described = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        archive.writestr(_TYPES_FILE, content_types(files))
        archive.writestr(_MANIFEST, manifest(described))
        for path in files:
            archive.write(path, f"extension/{path.relative_to(folder).as_posix()}")


def manifest(described: dict[str, Any]) -> str:
    """The manifest of an extension with this ``package.json``, with what a gallery shows of it."""
    identity = _attributes(
        Language="en-US", Id=described["name"], Version=described["version"], Publisher=described["publisher"]
    )
    properties = {
        "Microsoft.VisualStudio.Code.Engine": described["engines"]["vscode"],
        "Microsoft.VisualStudio.Code.ExtensionKind": ",".join(described["extensionKind"]),
        "Microsoft.VisualStudio.Code.ExecutesCode": "true",
        "Microsoft.VisualStudio.Services.GitHubFlavoredMarkdown": "true",
        "Microsoft.VisualStudio.Services.Content.Pricing": described["pricing"],
        "Microsoft.VisualStudio.Services.Branding.Color": described["galleryBanner"]["color"],
        "Microsoft.VisualStudio.Services.Branding.Theme": described["galleryBanner"]["theme"],
    }
    assets = {
        "Microsoft.VisualStudio.Code.Manifest": "package.json",
        "Microsoft.VisualStudio.Services.Content.Details": "README.md",
        "Microsoft.VisualStudio.Services.Content.License": _LICENSE,
        "Microsoft.VisualStudio.Services.Icons.Default": described["icon"],
    }
    endings = [ending for language in described["contributes"]["languages"] for ending in language["extensions"]]
    tags = [*described["keywords"], *(f"__ext_{ending.removeprefix('.')}" for ending in endings)]
    values = "\n".join(f"      <Property {_attributes(Id=key, Value=value)}/>" for key, value in properties.items())
    files = "\n".join(
        f"    <Asset {_attributes(Type=kind, Path=f'extension/{file}', Addressable='true')}/>"
        for kind, file in assets.items()
    )
    return f"""\
<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity {identity}/>
    <DisplayName>{escape(described["displayName"])}</DisplayName>
    <Description xml:space="preserve">{escape(described["description"])}</Description>
    <Tags>{escape(",".join(tags))}</Tags>
    <Categories>{escape(",".join(described["categories"]))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
{values}
    </Properties>
    <License>extension/{_LICENSE}</License>
    <Icon>extension/{escape(described["icon"])}</Icon>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
{files}
  </Assets>
</PackageManifest>
"""


def _attributes(**values: str) -> str:
    return " ".join(f"{key}={quoteattr(value)}" for key, value in values.items())


def content_types(files: Sequence[Path]) -> str:
    """The types of the files by their endings."""
    endings = {".vsixmanifest": "text/xml"} | {path.suffix: _TYPES.get(path.suffix, _OTHER_TYPE) for path in files}
    rows = [
        f"  <Default Extension={quoteattr(ending)} ContentType={quoteattr(type)}/>"
        for ending, type in sorted(endings.items())
        if ending
    ]
    header = '<?xml version="1.0" encoding="utf-8"?>\n'
    types = "http://schemas.openxmlformats.org/package/2006/content-types"
    return f'{header}<Types xmlns="{types}">\n' + "\n".join(rows) + "\n</Types>\n"


def main(target: str) -> int:
    """Pack the extension with the library that it needs; 1 if that cannot be had."""
    npm = shutil.which("npm")
    if npm is None:
        print("npm is missing, which comes with Node.js: https://nodejs.org", file=sys.stderr)
        return 1
    with TemporaryDirectory() as place:
        folder = Path(place) / "vscode"
        shutil.copytree(FOLDER, folder)
        done = subprocess.run([npm, "install", "--omit=dev", "--no-audit", "--no-fund", "--silent"], cwd=folder)
        if done.returncode != 0:
            return 1
        package(folder, Path(target))
    print(f"code --install-extension {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*(sys.argv[1:2] or ["zermelo.vsix"])))
