"""Reads exported files with the three XDMF readers of ParaView and compares each step with expected.json:
a list of {"file": ..., "steps": [{"time", "cells", "points", "arrays": {name: sum of all numbers}}]}.
Run by pvbatch; the exit code is 1 when something differs."""

import json
import sys

from paraview import servermanager, simple

TOLERANCE = 1e-9


def total(array):
    # A symmetric tensor comes as a full one; its six numbers count once each.
    width = array.GetNumberOfComponents()
    parts = (0, 1, 2, 4, 5, 8) if width == 9 else range(width)
    return sum(array.GetComponent(i, k) for i in range(array.GetNumberOfTuples()) for k in parts)


def leaves(data):
    """Data sets of a possibly composite output."""
    if not data.IsA("vtkCompositeDataSet"):
        return [data]
    found = []
    iterator = data.NewIterator()
    while not iterator.IsDoneWithTraversal():
        found.append(iterator.GetCurrentDataObject())
        iterator.GoToNextItem()
    return found


def differences(reader, step):
    reader.UpdatePipeline(step["time"])
    sets = leaves(servermanager.Fetch(reader))
    if len(sets) != 1:
        return ["%d data sets" % len(sets)]
    data = sets[0]
    wrong = []
    if data.GetNumberOfCells() != step["cells"]:
        wrong.append("%d cells, not %d" % (data.GetNumberOfCells(), step["cells"]))
    if data.GetNumberOfPoints() != step["points"]:
        wrong.append("%d points, not %d" % (data.GetNumberOfPoints(), step["points"]))
    for name, expected in step["arrays"].items():
        array = data.GetPointData().GetArray(name) or data.GetCellData().GetArray(name)
        if array is None:
            wrong.append("no array " + name)
        elif abs(total(array) - expected) > TOLERANCE * max(1.0, abs(expected)):
            wrong.append("%s sums to %r, not %r" % (name, total(array), expected))
    return wrong


def open_with(reader, path):
    if reader == "XDMFReader":
        return simple.XDMFReader(FileNames=[path])
    kind = getattr(simple, reader)
    return kind(FileName=[path])


def times_of(reader):
    values = reader.TimestepValues
    return [values] if isinstance(values, float) else list(values or [])


def check(reader_name, entry):
    reader = open_with(reader_name, entry["file"])
    reader.UpdatePipelineInformation()
    wrong = []
    times = [step["time"] for step in entry["steps"]]
    if times_of(reader) != times:
        wrong.append("times %r, not %r" % (times_of(reader), times))
    for step in entry["steps"]:
        wrong += ["t=%r: %s" % (step["time"], text) for text in differences(reader, step)]
    simple.Delete(reader)
    return wrong


def main():
    with open(sys.argv[1]) as file:
        entries = json.load(file)
    failed = False
    for entry in entries:
        for name in ("XDMFReader", "Xdmf3ReaderS", "Xdmf3ReaderT"):
            wrong = check(name, entry)
            failed = failed or bool(wrong)
            print("%s %s: %s" % (name, entry["file"].rsplit("/", 1)[-1], "; ".join(wrong) or "ok"))
    return 1 if failed else 0


sys.exit(main())
